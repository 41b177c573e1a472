import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Pool } from 'pg'
import { z } from 'zod'
import { allEvents } from '../../domain/all-events.ts'
import { personalFieldsOf } from '../../eventstore/codec.ts'
import { createKeyRing, type KeyRing } from '../../eventstore/keys.ts'

/** What every released version of every event looked like in the log. Files are added, never changed. */
const FOLDER = resolve(import.meta.dirname, '../golden')
/** `UPDATE_GOLDEN=1` writes what is missing and touches nothing that is there. */
const adding = process.env.UPDATE_GOLDEN === '1'

export const released = allEvents.flatMap(({ type, versions }) =>
  versions.map((schema, index) => ({
    type,
    schema,
    name: `${type}.v${index + 1}`,
    latest: index === versions.length - 1,
  })),
)

const pathOf = (name: string) => join(FOLDER, `${name}.json`)
const write = (name: string, content: unknown) => writeFileSync(pathOf(name), `${JSON.stringify(content, null, 2)}\n`)
export const readGolden = <T>(name: string): T => JSON.parse(readFileSync(pathOf(name), 'utf8')) as T

/** The names of all golden files but the keys and the lock. */
export function goldenNames(): string[] {
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ''))
  return names.filter((name) => /\.v\d+$/.test(name)).sort()
}

export async function addGolden(name: string, make: () => Promise<unknown>): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  if (adding && !existsSync(pathOf(name))) write(name, await make())
}

/** The ring that sealed the goldens: a fixed master key, and subject keys kept beside them. */
export function goldenKeys(): KeyRing {
  const wrapped = existsSync(pathOf('keys')) ? readGolden<Record<string, string>>('keys') : {}
  const query = async (text: string, [subjects, keys]: [string[], Buffer[]]) => {
    if (text.includes('insert into app.subject_key') && adding) {
      for (const [index, subject] of subjects.entries()) wrapped[subject] ??= keys[index]!.toString('base64url')
      write('keys', wrapped)
    }
    const held = subjects.filter((subject) => wrapped[subject])
    return { rows: held.map((subject) => ({ subject, wrapped: Buffer.from(wrapped[subject]!, 'base64url') })) }
  }
  return createKeyRing({ query } as unknown as Pool, Buffer.alloc(32, 7))
}

/** A fingerprint of all that a stored version means: its shape, and which fields are sealed under whose key. */
export function schemaHash(schema: z.ZodObject): string {
  const shape = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') jsonSchema.format = 'date-time'
    },
  })
  const text = JSON.stringify([shape, personalFieldsOf(schema)])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** The lock as it stands, with new versions added when asked to. */
export function schemaLock(): Record<string, string> {
  mkdirSync(FOLDER, { recursive: true })
  const lock = existsSync(pathOf('schema-lock')) ? readGolden<Record<string, string>>('schema-lock') : {}
  if (!adding) return lock
  const added = released.filter(({ name }) => !(name in lock)).map(({ name, schema }) => [name, schemaHash(schema)])
  const next = { ...lock, ...Object.fromEntries(added) } as Record<string, string>
  if (added.length > 0) write('schema-lock', Object.fromEntries(Object.entries(next).sort()))
  return next
}
