import pg from 'pg'
import { isMetastream, metastreamOf, subjectOf, TOMBSTONE } from '../records.ts'
import { stateFrom, visibleOf } from '../writer/stream-state.ts'
import { SUMMARISE } from './postgres-table.ts'
import { numbersForBigints } from './postgres-writer.ts'

/** What a scavenge took away, or would take. `bytes` are payloads. */
export type Scavenged = { streams: number; events: number; bytes: number }

export type ScavengeOptions = {
  database: pg.ClientConfig
  /** Counts and takes nothing. */
  dryRun?: boolean
  /** Called after each stream: how many of how many were looked at. */
  progress?: (done: number, total: number) => void
}

/** Another scavenge of the same log has not ended. */
export class ScavengeRunningError extends Error {
  override name = 'ScavengeRunningError'
  constructor() {
    super('Another scavenge of this log is running. Wait for it to end.')
  }
}

const EVENTS_PER_DELETE = 1_000
const LOCK_NAME = 'log-scavenge'

/** Only these can hold what nobody sees: streams with metadata, their metadata, and streams that have ended. */
const CANDIDATES = `
  select distinct stream from log.event where stream >= '$$' and stream < '$%'
  union select stream from log.event where revision = ${TOMBSTONE}`

/** Events that no reader of $1 sees: before revision $2 or time $3. Nothing is touched from revision $4 on. */
const HIDDEN = 'stream = $1 and revision < $4 and (revision < $2 or created < $3)'
const SIZES = 'octet_length(data) + octet_length(metadata) as size'
const COUNT = `select count(*) as events, coalesce(sum(size), 0)::bigint as bytes`
const COUNT_HIDDEN = `${COUNT} from (select ${SIZES} from log.event where ${HIDDEN}) as hidden`
const DELETE_HIDDEN = `
  with gone as (
    delete from log.event where stream = $1 and revision in
      (select revision from log.event where ${HIDDEN} order by revision limit ${EVENTS_PER_DELETE})
    returning ${SIZES}
  ) ${COUNT} from gone`

/**
 * Takes events out of the storage for good that no reader sees any more: of deleted and ended streams, and what
 * `$maxCount`, `$maxAge` and `$tb` hide. A running server keeps serving. Positions and revisions stay as they are,
 * with gaps. The last event of a stream stays, hidden or not, since its revision and position are where the next ones
 * follow; of a stream that has ended only its end stays.
 */
export async function scavenge({ database, dryRun = false, progress }: ScavengeOptions): Promise<Scavenged> {
  const client = new pg.Client({ ...database, types: numbersForBigints })
  await client.connect()
  try {
    const { rows: locks } = await client.query('select pg_try_advisory_lock(hashtext($1)) as locked', [LOCK_NAME])
    if (!locks[0].locked) throw new ScavengeRunningError()
    const streams = await candidates(client)
    const total: Scavenged = { streams: 0, events: 0, bytes: 0 }
    for (const [index, stream] of streams.entries()) {
      const { events, bytes } = await clean(client, stream, dryRun)
      if (events) total.streams++
      total.events += events
      total.bytes += bytes
      progress?.(index + 1, streams.length)
    }
    // The freed space is for new events; without this it would wait for Postgres to notice.
    if (total.events && !dryRun) await client.query('vacuum (analyze) log.event')
    // Ending the connection lets go as well, but a moment later.
    await client.query('select pg_advisory_unlock(hashtext($1))', [LOCK_NAME])
    return total
  } finally {
    await client.end()
  }
}

/** Each stream with metadata comes before its metadata, which define what is hidden. */
async function candidates(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query("select to_regclass('log.event') is not null as there")
  if (!tables[0].there) return []
  const { rows } = await client.query<{ stream: string }>(CANDIDATES)
  const names = rows.flatMap(({ stream }) =>
    isMetastream(stream) ? [subjectOf(stream), stream] : [stream, metastreamOf(stream)],
  )
  return [...new Set(names)]
}

type Taken = { events: number; bytes: number }

async function clean(client: pg.Client, stream: string, dryRun: boolean): Promise<Taken> {
  const hidden = await hiddenOf(client, stream)
  if (!hidden) return { events: 0, bytes: 0 }
  const values = [stream, hidden.before, hidden.since, hidden.end]
  if (dryRun) return (await client.query<Taken>(COUNT_HIDDEN, values)).rows[0]!
  const taken: Taken = { events: 0, bytes: 0 }
  for (;;) {
    const [batch] = (await client.query<Taken>(DELETE_HIDDEN, values)).rows
    taken.events += batch!.events
    taken.bytes += batch!.bytes
    if (batch!.events < EVENTS_PER_DELETE) return taken
  }
}

/**
 * The bounds of what is hidden. Whatever is written meanwhile has revisions from `end` on and is not touched: a stream
 * that somebody deletes and begins anew at this moment keeps its new events.
 */
async function hiddenOf(client: pg.Client, stream: string) {
  const subject = isMetastream(stream) ? subjectOf(stream) : stream
  const { rows } = await client.query(SUMMARISE, [[stream, subject]])
  const [own, owner] = [stream, subject].map((name, at) =>
    stateFrom(name, { last: rows[at].last ?? -1, metadata: rows[at].metadata }),
  )
  if (!own || own.last < 0) return undefined
  const ended = owner?.last === TOMBSTONE
  if (ended && stream !== subject) return { before: own.last + 1, since: 0, end: own.last + 1 }
  const { first, since } = visibleOf(stream, own, Date.now())
  return { before: ended ? TOMBSTONE : first, since, end: own.last }
}
