import type pg from 'pg'
import { HeardClient, type HeardConfig } from '../../postgres/heard-client.ts'
import { NOTICED } from '../../postgres/noticed.ts'
import { isMetastream, metastreamOf, subjectOf, TOMBSTONE } from '../records.ts'
import { stateFrom, visibleOf } from '../writer/stream-state.ts'
import { dropEmptied } from './emptied.ts'
import { layoutOf } from './layout.ts'
import { numbersForBigints } from './postgres-writer.ts'
import { SCAVENGE_LOCK } from './scavenge-lock.ts'
import { REVISIONS_PER_DELETE, type ScavengeSql, scavengeSql } from './scavenge-sql.ts'

/** What a scavenge took away, or would take. `bytes` are payloads. */
export type Scavenged = { streams: number; events: number; bytes: number }

export type ScavengeOptions = {
  database: HeardConfig
  /** Counts and takes nothing. */
  dryRun?: boolean
  /** Called after each stream: how many of how many were looked at. */
  progress?: (done: number, total: number) => void
}

/** Another scavenge of the same log has not ended, or it is moving. */
export class ScavengeRunningError extends Error {
  override name = 'ScavengeRunningError'
  constructor() {
    super('Another scavenge of this log is running, or the log is moving to partitions. Wait for it to end.')
  }
}

/**
 * Takes events out of the storage for good that no reader sees any more: of deleted and ended streams, and what
 * `$maxCount`, `$maxAge` and `$tb` hide. A running server keeps serving. Positions and revisions stay as they are,
 * with gaps. The last event of a stream stays, hidden or not, since its revision and position are where the next ones
 * follow; of a stream that has ended only its end stays. A partition that is left empty goes whole.
 */
export async function scavenge({ database, dryRun = false, progress }: ScavengeOptions): Promise<Scavenged> {
  const client = new HeardClient({ ...database, types: numbersForBigints })
  await client.connect()
  try {
    await client.query(NOTICED)
    const { rows: locks } = await client.query('select pg_try_advisory_lock(hashtext($1)) as locked', [SCAVENGE_LOCK])
    if (!locks[0].locked) throw new ScavengeRunningError()
    const total: Scavenged = { streams: 0, events: 0, bytes: 0 }
    const layout = await layoutOf(client)
    if (layout === null) return total
    const sql = scavengeSql(layout)
    const streams = await client.patiently(() => candidates(client, sql))
    const touched = new Set<string>()
    for (const [index, stream] of streams.entries()) {
      const { events, bytes, parts } = await clean(client, stream, sql, dryRun)
      if (events) total.streams++
      total.events += events
      total.bytes += bytes
      for (const part of parts) touched.add(part)
      progress?.(index + 1, streams.length)
    }
    // The freed space is for new events; without this it would wait for Postgres to notice.
    for (const part of touched) await client.patiently(() => client.query(`vacuum (analyze) ${part}`))
    if (layout === 'partitioned' && !dryRun) await client.patiently(() => dropEmptied(client))
    // Ending the connection lets go as well, but a moment later.
    await client.query('select pg_advisory_unlock(hashtext($1))', [SCAVENGE_LOCK])
    return total
  } finally {
    await client.end()
  }
}

/** Each stream with metadata comes before its metadata, which define what is hidden. */
async function candidates(client: pg.Client, sql: ScavengeSql): Promise<string[]> {
  const { rows } = await client.query<{ stream: string }>(sql.candidates)
  const names = rows.flatMap(({ stream }) =>
    isMetastream(stream) ? [subjectOf(stream), stream] : [stream, metastreamOf(stream)],
  )
  return [...new Set(names)]
}

/** `parts` are the tables that events were taken from. */
type Taken = { events: number; bytes: number; parts: readonly string[] }

async function clean(client: HeardClient, stream: string, sql: ScavengeSql, dryRun: boolean): Promise<Taken> {
  const hidden = await hiddenOf(client, stream, sql)
  if (!hidden) return { events: 0, bytes: 0, parts: [] }
  const values = [stream, hidden.before, hidden.since, hidden.end]
  if (dryRun) {
    const count = () => client.query<Omit<Taken, 'parts'>>(sql.countHidden, values)
    return { ...(await client.patiently(count)).rows[0]!, parts: [] }
  }
  const taken = { events: 0, bytes: 0, parts: [] as string[] }
  const end = hidden.since ? hidden.end : Math.min(hidden.before, hidden.end)
  for (let from = 0; ; from += REVISIONS_PER_DELETE) {
    const { rows } = await client.query<{ revision: number }>(sql.next, [stream, from, end])
    if (!rows[0]) return taken
    from = rows[0].revision
    const bounds = [...values, from, from + REVISIONS_PER_DELETE]
    const [batch] = (await client.query<Taken>(sql.deleteHidden, bounds)).rows
    taken.events += batch!.events
    taken.bytes += batch!.bytes
    taken.parts.push(...batch!.parts)
  }
}

/**
 * The bounds of what is hidden. Whatever is written meanwhile has revisions from `end` on and is not touched: a stream
 * that somebody deletes and begins anew at this moment keeps its new events.
 */
async function hiddenOf(client: pg.Client, stream: string, { summarise }: ScavengeSql) {
  const subject = isMetastream(stream) ? subjectOf(stream) : stream
  const { rows } = await client.query(summarise, [[stream, subject]])
  const [own, owner] = [stream, subject].map((name, at) =>
    stateFrom(name, { last: rows[at].last ?? -1, metadata: rows[at].metadata }),
  )
  if (!own || own.last < 0) return undefined
  const ended = owner?.last === TOMBSTONE
  if (ended && stream !== subject) return { before: own.last + 1, since: 0, end: own.last + 1 }
  const { first, since } = visibleOf(stream, own, Date.now())
  return { before: ended ? TOMBSTONE : first, since, end: own.last }
}
