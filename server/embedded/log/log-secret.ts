import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepPrivate } from '../lifecycle/private-file.ts'

const FILE = 'log-secret'
const FORM = /^[\w-]{43}\n$/

/** What a client of the embedded log has to know, made once for a data folder; its owner alone can read it. */
export function logSecret(dataDir: string): string {
  const path = join(dataDir, FILE)
  if (!existsSync(path)) keepPrivate(path, () => randomBytes(32).toString('base64url'))
  const text = readFileSync(path, 'utf8')
  if (!FORM.test(text)) throw new Error(`${path} is damaged. Delete it: the next start makes another.`)
  return text.trim()
}
