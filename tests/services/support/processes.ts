import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { describe } from 'vitest'

/** Tests by `/proc`, as what follows is; they are skipped, and listed under this reason, where there is none. */
export const withProc = (tests: () => void) =>
  describe.skipIf(process.platform !== 'linux')('by /proc, which Linux alone has', tests)

/** Whether a process runs; one that has ended and waits to be noted does not. */
export function isThere(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Time on a processor, in ticks of a hundredth of a second. */
export function ticksOf(pid: number): number {
  const [, , , , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').map(Number)
  return (user ?? 0) + (system ?? 0)
}

/** The paths of what a process has open. */
export function filesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(`${folder}/${name}`)
    } catch {
      return []
    }
  })
}

/** The children of a process that run this file. */
export function childrenOf(parent: number, file: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const read = (pid: string, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8')
    } catch {
      return ''
    }
  }
  return pids
    .filter((pid) => read(pid, 'status').includes(`\nPPid:\t${parent}\n`) && read(pid, 'cmdline').includes(file))
    .map(Number)
}
