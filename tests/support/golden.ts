import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { KeyRing } from '../../eventstore/keys.ts'
import {
  GOLDEN_FOLDER,
  goldenPath,
  goldenRing,
  readLock,
  released,
  schemaHash,
} from '../../server/tools/events/released.ts'

/** `UPDATE_GOLDEN=1` writes what is missing and touches nothing that is there. */
const adding = process.env.UPDATE_GOLDEN === '1'

function write(name: string, content: unknown): void {
  mkdirSync(GOLDEN_FOLDER, { recursive: true })
  writeFileSync(goldenPath(name), `${JSON.stringify(content, null, 2)}\n`)
}

export async function addGolden(name: string, make: () => Promise<unknown>): Promise<void> {
  if (adding && !existsSync(goldenPath(name))) write(name, await make())
}

/** The ring that sealed the goldens; keys of new subjects are kept beside them. */
export const goldenKeys = (): KeyRing => goldenRing(adding ? (wrapped) => write('keys', wrapped) : undefined)

/** The lock as it stands, with new versions added when asked to. */
export function schemaLock(): Record<string, string> {
  const lock = readLock()
  if (!adding) return lock
  const added = released.filter(({ name }) => !(name in lock)).map(({ name, schema }) => [name, schemaHash(schema)])
  const next = { ...lock, ...Object.fromEntries(added) } as Record<string, string>
  if (added.length > 0) write('schema-lock', Object.fromEntries(Object.entries(next).sort()))
  return next
}
