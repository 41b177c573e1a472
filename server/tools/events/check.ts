import { counted } from '../../../domain/shared/counted.ts'
import { type Codec, createCodec } from '../../../eventstore/codec.ts'
import type { StorableEvent } from '../../../eventstore/events.ts'
import { toPosition } from '../../../eventstore/position.ts'
import {
  goldenNames,
  goldenRing,
  hasGolden,
  type Released,
  readGolden,
  readLock,
  released as releasedNow,
  schemaHash,
} from './released.ts'
import type { StoredCount } from './stored.ts'

type Golden = { stream: string; stored: StorableEvent; decoded: Record<string, unknown> }

const HOW = 'docs/how-to/add-an-event-version.md says how to add one'

/** What is wrong with the definitions, compared with what was released; a line each. */
export function checkLock(versions: readonly Released[] = releasedNow, lock = readLock()): string[] {
  const names = new Set(versions.map(({ name }) => name))
  const wrong = versions.flatMap(({ name, schema }) => {
    if (!(name in lock)) return [`${name} is not locked yet; ${HOW}.`]
    return lock[name] === schemaHash(schema)
      ? []
      : [`${name} is not what was released. A released version never changes: add a version; ${HOW}.`]
  })
  const lost = Object.keys(lock).filter((name) => !names.has(name))
  return [...wrong, ...lost.map((name) => `${name} was released and is not defined any more.`)]
}

/** Every released version has its golden, and reads as it did. */
export async function checkGoldens(): Promise<string[]> {
  const names = new Set(releasedNow.map(({ name }) => name))
  const stray = goldenNames().filter((name) => !names.has(name))
  const problems = stray.map((name) => `tests/golden/${name}.json is of no version that is defined.`)
  const codec = createCodec(goldenRing())
  for (const { name } of releasedNow) {
    if (!hasGolden(name)) problems.push(`${name} has no golden file; ${HOW}.`)
    else {
      const others = await differing(codec, readGolden<Golden>(name))
      if (others.length > 0) problems.push(`${name} does not read as its golden file: ${others.join(', ')}.`)
    }
  }
  return problems
}

/** Fields that read otherwise than in the golden file. */
async function differing(codec: Codec, { stream, stored, decoded }: Golden): Promise<string[]> {
  const position = toPosition({ commit: 1n, prepare: 1n })
  const recordedAt = new Date(String(decoded.recordedAt))
  const [event] = await codec.decode([{ ...stored, stream, revision: 0, position, recordedAt }]).catch(() => [])
  if (!event) return ['it cannot be decoded']
  const now = JSON.parse(JSON.stringify(event)) as Record<string, unknown>
  const names = [...new Set([...Object.keys(now), ...Object.keys(decoded)])]
  return names.filter((name) => canonical(now[name]) !== canonical(decoded[name]))
}

/** JSON with its keys in order. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/** Types and versions in a log that this product cannot read. */
export function checkStored(counts: readonly StoredCount[]): string[] {
  const names = new Set(releasedNow.map(({ name }) => name))
  return counts
    .filter(({ type, version }) => !names.has(`${type}.v${version}`))
    .map(
      ({ type, version, events }) =>
        `${type}, version ${version}, is in the log ${counted(events, 'time')} and unknown.`,
    )
}
