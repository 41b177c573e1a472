import type pg from 'pg'

type Db = Pick<pg.ClientBase, 'query'>

/** Positions in one partition, unless a server is given another number. */
export const SPAN = 10_000_000

/** What the partitions are of: `log.event`, and `log.event_next` while a log moves there. */
export type EventTable = 'log.event' | 'log.event_next'

/**
 * Events by position in partitions, with the name and the number of their stream: the name for whoever reads the whole log,
 * the number for the index. `born` is a position before which a stream has no event: a look-up of the stream leaves out
 * the partitions before it. `"C"` keeps stream names comparing byte by byte. Whoever knows no numbers cannot write.
 */
export const createSql = (table: EventTable): string => `
  create schema if not exists log;
  create table if not exists log.stream (
    id bigint primary key,
    name text collate "C" not null unique,
    born bigint not null
  );
  create table if not exists ${table} (
    position bigint primary key,
    revision bigint not null,
    created bigint not null,
    stream_id bigint not null,
    id uuid not null,
    json boolean not null,
    stream text collate "C" not null,
    type text not null,
    data bytea not null,
    metadata bytea not null
  ) partition by range (position)`

/** The first position behind the newest partition; null while there is none. */
export async function endOfPartitions(db: Db, table: EventTable): Promise<number | null> {
  const { rows } = await db.query<{ end: string | null }>(
    `select max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''?(\\d+)')::bigint)::text as end
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table],
  )
  const end = rows[0]?.end
  return end == null ? null : Number(end)
}

/** `end` is that of the newest partition. Where positions were never given out, nothing is made for them alone. */
export type Room = {
  readonly end: number | null
  readonly first: number
  readonly last: number
  readonly span: number
}

/** Makes the partitions that positions `first` to `last` lack; answers the new end. */
export async function makePartitions(db: Db, table: EventTable, { end, first, last, span }: Room): Promise<number> {
  let from = end
  for (let to = upperOf(Math.max(first, end ?? 0), span); from === null || from <= last; to += span) {
    await makePartition(db, table, from, to)
    from = to
  }
  return from
}

const upperOf = (position: number, span: number) => (Math.floor((position - 1) / span) + 1) * span + 1

/**
 * Made apart and attached, which waits for no reader. Its indexes guard revisions inside of it; across partitions the one
 * writer does, and any second one would collide with it at the primary key.
 */
async function makePartition(db: Db, table: EventTable, from: number | null, to: number): Promise<void> {
  const name = `log.event_${from ?? 0}`
  await db.query(`create table ${name} (like ${table} including all)`)
  // A page of a stream, and its last revision.
  await db.query(`alter table ${name} add unique (stream_id, revision)`)
  // The streams that have ended, for a scavenge.
  await db.query(`create index on ${name} (stream_id) where revision = ${Number.MAX_SAFE_INTEGER}`)
  await db.query(`alter table ${table} attach partition ${name} for values from (${from ?? 'minvalue'}) to (${to})`)
}
