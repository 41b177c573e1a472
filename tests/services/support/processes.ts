import { readFileSync } from 'node:fs'

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
