import type pg from 'pg'
import type { Recorded } from '../../../domain/shared/recorded.ts'
import { START } from '../../../domain/shared/recorded.ts'
import type { Codec } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import { goesAhead } from '../../../projections/engine/batch-processor.ts'
import { listTargets, type Target } from '../../../projections/engine/checkpoints.ts'
import type { Projection } from '../../../projections/projection.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { codeOf, isPoison } from './code.ts'
import { answered } from './load.ts'

const PAGE = 2_000

type Read = { readonly stored: readonly StoredEvent[]; readonly decoded: ReadonlyMap<string, Recorded<never>> }

async function readAll(log: Log, codec: Codec): Promise<Read> {
  const stored: StoredEvent[] = []
  const decoded = new Map<string, Recorded<never>>()
  for (;;) {
    const page = await answered(() => log.readAll(stored.at(-1)?.position ?? START, PAGE))
    if (page.length === 0) return { stored, decoded }
    stored.push(...page)
    for (const event of await codec.decode(page)) decoded.set(event.id, event as never)
  }
}

const keyOf = (stream: string) => stream.slice(stream.indexOf('-') + 1)

/** What this release's code takes of the log: nothing that it fails at, and of the same key only what goes ahead. */
function taken(projection: Projection, release: number, stored: readonly StoredEvent[]): StoredEvent[] {
  const waiting = new Set<string>()
  return stored.filter(({ id, type, stream }) => {
    if (!Object.hasOwn(projection.when, type)) return true
    const key = keyOf(stream)
    if (isPoison(release, id)) return void waiting.add(key)
    return !waiting.has(key) || goesAhead(projection, type)
  })
}

/**
 * What readers see, all at one moment: of each read model the rows against a fold of the log up to its checkpoint, by the code of the
 * release that made them, without what that set aside. `rows`: how many they should be.
 */
export async function compareReleases(
  pool: pg.Pool,
  log: Log,
  codec: Codec,
): Promise<{ rows: number; wrong: string[]; releases: number[] }> {
  const db = await pool.connect()
  try {
    await db.query('begin isolation level repeatable read')
    const live = (await listTargets(db)).filter(({ state }) => state === 'live')
    const read = await readAll(log, codec)
    let rows = 0
    const [wrong, releases]: [string[], number[]] = [[], []]
    for (const target of live) {
      const { release, projection } = codeFor(target)
      releases.push(release)
      const events = taken(projection, release, read.stored).filter(({ position }) => position <= target.position)
      const folded = await foldOfLog(given(events), { ...codec, decode: known(read) }, [projection])
      for (const table of folded.values()) rows += table.size
      wrong.push(...(await compareWithTables(db, [projection], folded)).map((line) => `${target.name}: ${line}`))
    }
    await db.query('commit')
    return { rows, wrong, releases }
  } finally {
    db.release()
  }
}

export function codeFor({ name, version }: Pick<Target, 'name' | 'version'>): {
  release: number
  projection: Projection
} {
  const first = codeOf(1).find((one) => one.name === name)!
  const release = version - first.version + 1
  return { release, projection: codeOf(release).find((one) => one.name === name)! }
}

const known = (read: Read) => async (stored: readonly StoredEvent[]) => stored.map(({ id }) => read.decoded.get(id)!)

const given = (events: readonly StoredEvent[]): Pick<Log, 'readAll'> => ({
  readAll: async (after, limit) => {
    const from = events.findIndex(({ position }) => position > after)
    return from < 0 ? [] : events.slice(from, from + limit)
  },
})
