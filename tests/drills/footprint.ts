import { readdirSync, readFileSync } from 'node:fs'
import { commandLineOf } from '../../server/embedded/lifecycle/process-identity.ts'
import { descendantsOf } from './program-child.ts'

/** Memory in MiB and open descriptors of the program and of its web workers; Linux alone. `parts`: other processes below it by name. */
export type Footprint = { readonly mib: number; readonly descriptors: number; readonly parts: readonly string[] }

const PAGES_PER_MIB = 256

export function footprintOf(pid: number): Footprint {
  const serving = [ownOf(pid), ...workersOf(pid).flatMap((worker) => ownOfWorker(worker) ?? [])]
  return {
    mib: Math.round(serving.reduce((sum, { pages }) => sum + pages, 0) / PAGES_PER_MIB),
    descriptors: serving.reduce((sum, { descriptors }) => sum + descriptors, 0),
    parts: descendantsOf(pid).flatMap((part) => nameOf(part) ?? []),
  }
}

/** The processes below this one that serve its port. */
export const workersOf = (pid: number): number[] =>
  descendantsOf(pid).filter((below) => commandLineOf(below)?.includes('web-worker'))

const ownOf = (pid: number) => ({
  pages: Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]),
  descriptors: readdirSync(`/proc/${pid}/fd`).length,
})

/** One may end while it is looked at. */
function ownOfWorker(pid: number): ReturnType<typeof ownOf> | null {
  try {
    return ownOf(pid)
  } catch {
    return null
  }
}

/** The parts that have to live as long as the program does, with their ids. */
function nameOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    const part = /log-process|bin\/postgres -D/.exec(line)?.[0]
    return part ? `${part} ${pid}` : null
  } catch {
    return null
  }
}
