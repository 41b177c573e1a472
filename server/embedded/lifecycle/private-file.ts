import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'

/**
 * Writes a file that its owner alone can read, whole, unless it is there. Of two that begin at once one makes it. Answers
 * what was written, or null where another one was first.
 */
export function keepPrivate(path: string, make: () => string): string | null {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  const text = make()
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${text}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
