import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts'

/** A running process has the lock. */
export class LockTaken extends Error {
  override name = 'LockTaken'
  readonly holder: ProcessIdentity
  constructor(path: string, holder: ProcessIdentity) {
    super(`${path} is in use by process ${holder.pid}.`)
    this.holder = holder
  }
}

export type Lock = { release(): void }

const ATTEMPTS = 5

/**
 * Takes the lock at `path` for this process, also from a holder that no longer runs.
 * Throws `LockTaken` when its holder lives; this process itself counts.
 */
export function takeLock(path: string): Lock {
  const mine = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  const content = JSON.stringify(identityOf(process.pid))
  writeFileSync(mine, content, { mode: 0o644 })
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (linked(mine, path)) return { release: () => release(path, content) }
      const found = readHolder(path)
      if (found === null) continue
      if (found.holder && isRunning(found.holder)) throw new LockTaken(path, found.holder)
      removeStale(path, found.text, `${mine}.stale`)
    }
    throw new Error(`Could not take the lock ${path}: others take it at the same moment. Try again.`)
  } finally {
    rmSync(mine, { force: true })
  }
}

/** A link appears whole or not at all, so nobody ever reads a half-written lock. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readHolder(path: string): { text: string; holder: ProcessIdentity | null } | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return null
  }
  try {
    const { pid, startTime } = JSON.parse(text) as Partial<ProcessIdentity>
    const whole = typeof pid === 'number' && typeof startTime === 'string'
    return { text, holder: whole ? { pid, startTime } : null }
  } catch {
    return { text, holder: null }
  }
}

/** Moves the lock aside first: when another process replaced the stale one meanwhile, its lock is put back. */
function removeStale(path: string, stale: string, aside: string): void {
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (readFileSync(aside, 'utf8') !== stale) linked(aside, path)
  rmSync(aside, { force: true })
}

function release(path: string, content: string): void {
  if (readHolder(path)?.text === content) rmSync(path, { force: true })
}
