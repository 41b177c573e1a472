import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process, distinguished from a later one that got the same pid. `startTime` is opaque: compare it, nothing else. */
export type ProcessIdentity = { pid: number; startTime: string }

/** Throws when the process does not exist. */
export function identityOf(pid: number): ProcessIdentity {
  const startTime = startTimeOf(pid)
  if (startTime === null) throw new Error(`No process has the id ${pid}.`)
  return { pid, startTime }
}

/** Whether exactly this process still runs; one that ended and waits to be collected does not count. */
export function isRunning(identity: ProcessIdentity): boolean {
  return startTimeOf(identity.pid) === identity.startTime
}

export function isAlive(pid: number): boolean {
  return startTimeOf(pid) !== null
}

/** The command line of a process, or null when it is gone or not ours to read. */
export function commandLineOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

function startTimeOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  return process.platform === 'linux' ? linuxStartTime(pid) : posixStartTime(pid)
}

/** Clock ticks since boot, with the boot itself: ticks alone repeat after a restart of the machine. */
function linuxStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the command in parentheses and may itself hold spaces and parentheses.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    return `${bootId()}:${rest[18]}`
  } catch {
    return null
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return 'boot'
  }
}

function posixStartTime(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim() || null
  } catch {
    return null
  }
}
