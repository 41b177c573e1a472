import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds on a processor: of the thread that runs our code, and of all threads, which compress and read files too. */
export type Cpu = { readonly main: number; readonly all: number }

/** What a process has taken so far, from Linux' process table; nothing elsewhere. */
export function cpuOf(pid: number): Cpu {
  const ran = threadsOf(pid).map((thread) => ({ thread, ms: ranFor(pid, thread) }))
  return { main: ran.find(({ thread }) => thread === pid)?.ms ?? 0, all: ran.reduce((total, { ms }) => total + ms, 0) }
}

/** None of a process that has ended. */
function threadsOf(pid: number): number[] {
  try {
    return process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : []
  } catch {
    return []
  }
}

/** A thread may end while it is asked for. */
function ranFor(pid: number, thread: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000
  } catch {
    return 0
  }
}
