import type pg from 'pg'
import { endOfPartitions, makePartitions } from '../partitions.ts'

type Db = Pick<pg.ClientBase, 'query'>

const NEXT_TABLE = 'log.event_next'

/** Before every position, also before those that nobody gave out. */
export const START = Number.MIN_SAFE_INTEGER

/** Positions behind `after` up to `to`, with so many events. */
export type Range = { readonly after: number; readonly to: number; readonly events: number }

const NEXT = `select max(position)::text as upto, count(*)::int as events
  from (select position from log.event where position > $1 order by position limit $2) next`

/** The next events of the single table, at most so many; null when there is none. */
export async function nextRange(db: Db, after: number, most: number): Promise<Range | null> {
  const { rows } = await db.query<{ upto: string | null; events: number }>(NEXT, [after, most])
  const { upto = null, events = 0 } = rows[0] ?? {}
  return upto === null ? null : { after, to: Number(upto), events }
}

/** Up to where the partitions are filled. */
export async function copiedUpTo(db: Db): Promise<number> {
  const { rows } = await db.query<{ last: string | null }>(`select max(position) as last from ${NEXT_TABLE}`)
  return rows[0]?.last == null ? START : Number(rows[0].last)
}

const IN_RANGE = 'position > $1 and position <= $2'
const COLUMNS = 'position, revision, created, id, json, stream, type, data, metadata'
const STREAMS = `
  insert into log.stream (id, name, born)
  select (select coalesce(max(id), 0) from log.stream) + row_number() over (order by born), name, born
  from (select stream as name, min(position) as born from log.event where ${IN_RANGE} group by stream) found
  where not exists (select from log.stream s where s.name = found.name)`
/** A number is looked up for each event, so that no plan reads all streams. */
const EVENTS = `
  insert into ${NEXT_TABLE} (${COLUMNS}, stream_id)
  select ${COLUMNS}, (select s.id from log.stream s where s.name = e.stream) from log.event e where ${IN_RANGE}
  order by position`

/** Copies a range, in the caller's transaction. */
export async function copyRange(db: Db, { after, to }: Range, span: number): Promise<void> {
  const end = await endOfPartitions(db, NEXT_TABLE)
  const first = Math.max(after + 1, end ?? 1)
  if (end === null || to >= end) await makePartitions(db, NEXT_TABLE, { end, first, last: Math.max(to, 1), span })
  await db.query(STREAMS, [after, to])
  await db.query(EVENTS, [after, to])
}

/** Takes a range out of the partitions again. */
export const dropRange = (db: Db, { after, to }: Range) =>
  db.query(`delete from ${NEXT_TABLE} where ${IN_RANGE}`, [after, to])

const digest = (table: string) => `
  select count(*) as events, coalesce(bit_xor(hash_record_extended(row(${COLUMNS}), 0)), 0) as hash
  from ${table} where ${IN_RANGE}`
/** Copies that no reader of their stream would find. */
const MISNUMBERED = `
  select from ${NEXT_TABLE} e where ${IN_RANGE} and not exists
    (select from log.stream s where s.id = e.stream_id and s.name = e.stream and s.born <= e.position)`
const SAME = `
  select one.events = other.events and one.hash = other.hash and not exists (${MISNUMBERED}) as same
  from (${digest('log.event')}) one, (${digest(NEXT_TABLE)}) other`

/** Whether both tables hold the same events in a range, by their number and by a hash over every column. */
export async function isSame(db: Db, { after, to }: Range): Promise<boolean> {
  const { rows } = await db.query<{ same: boolean }>(SAME, [after, to])
  return rows[0]!.same
}
