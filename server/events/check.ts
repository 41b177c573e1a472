import { createCodec } from '../../eventstore/codec.ts'
import type { StorableEvent, StoredEvent } from '../../eventstore/events.ts'
import { toPosition } from '../../eventstore/position.ts'
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
    else if (!(await reads(codec, readGolden<Golden>(name)))) problems.push(`${name} does not read as its golden file.`)
  }
  return problems
}

async function reads(codec: ReturnType<typeof createCodec>, { stream, stored, decoded }: Golden): Promise<boolean> {
  const position = toPosition({ commit: 1n, prepare: 1n })
  const recordedAt = new Date(String(decoded.recordedAt))
  const event: StoredEvent = { ...stored, stream, revision: 0, position, recordedAt }
  const [now] = await codec.decode([event]).catch(() => [])
  return now !== undefined && canonical(JSON.parse(JSON.stringify(now))) === canonical(decoded)
}

/** JSON with its keys in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}

/** Types and versions that stand in a log and that this product cannot read. */
export function checkStored(counts: readonly StoredCount[]): string[] {
  const names = new Set(releasedNow.map(({ name }) => name))
  return counts
    .filter(({ type, version }) => !names.has(`${type}.v${version}`))
    .map(
      ({ type, version, events }) => `${type}, version ${version}, is unknown and stands ${events} times in the log.`,
    )
}
