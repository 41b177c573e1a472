import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { z } from 'zod'
import { allEvents, type EventType } from '../../../domain/all-events.ts'
import { personalFieldsOf } from '../../../eventstore/codec.ts'
import { createKeyRing, type KeyRing } from '../../../eventstore/keys.ts'
import { ROOT } from '../../root.ts'

/** What every released version of every event looked like in the log. Files are added, never changed. */
export const GOLDEN_FOLDER = join(ROOT, 'tests', 'golden')

/** `name` is the version's own, such as `Buzzed.v1`. */
export type Released = { type: EventType; schema: z.ZodObject; name: string; version: number; latest: boolean }

export const released: readonly Released[] = allEvents.flatMap(({ type, versions }) =>
  versions.map((schema, index) => ({
    type,
    schema,
    name: `${type}.v${index + 1}`,
    version: index + 1,
    latest: index === versions.length - 1,
  })),
)

export const goldenPath = (name: string) => join(GOLDEN_FOLDER, `${name}.json`)
export const hasGolden = (name: string) => existsSync(goldenPath(name))
export const readGolden = <T>(name: string): T => JSON.parse(readFileSync(goldenPath(name), 'utf8')) as T

/** The names of all golden files but the keys and the lock. */
export function goldenNames(): string[] {
  const names = readdirSync(GOLDEN_FOLDER).map((file) => file.replace(/\.json$/, ''))
  return names.filter((name) => /\.v\d+$/.test(name)).sort()
}

/** Hashes by version name, as they were when it was released. */
export const readLock = (): Record<string, string> =>
  hasGolden('schema-lock') ? readGolden<Record<string, string>>('schema-lock') : {}

/** The subject keys beside the goldens, wrapped by a fixed master key. */
export const readGoldenKeys = (): Record<string, string> =>
  hasGolden('keys') ? readGolden<Record<string, string>>('keys') : {}

/** The ring that sealed the goldens; `keep` gets keys that are made anew, which are lost without it. */
export function goldenRing(keep?: (wrapped: Record<string, string>) => void): KeyRing {
  const wrapped = readGoldenKeys()
  const query = async (text: string, [subjects, keys]: [string[], Buffer[]]) => {
    if (text.includes('insert into app.subject_key') && keep) {
      for (const [index, subject] of subjects.entries()) wrapped[subject] ??= keys[index]!.toString('base64url')
      keep(wrapped)
    }
    const known = subjects.filter((subject) => wrapped[subject])
    return { rows: known.map((subject) => ({ subject, wrapped: Buffer.from(wrapped[subject]!, 'base64url') })) }
  }
  return createKeyRing({ query } as unknown as Pool, Buffer.alloc(32, 7))
}

/** A schema as JSON Schema, dates included. */
export function jsonSchemaOf(schema: z.ZodType) {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') jsonSchema.format = 'date-time'
    },
  })
}

/** A hash of all that a stored version means: its shape, and which fields are sealed under whose key. */
export function schemaHash(schema: z.ZodObject): string {
  const text = JSON.stringify([jsonSchemaOf(schema), personalFieldsOf(schema)])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
