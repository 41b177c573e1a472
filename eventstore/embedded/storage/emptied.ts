import type pg from 'pg'

type Db = Pick<pg.ClientBase, 'query'>

/** Behind the partition $1 there are events, and in it none. */
const IS_EMPTIED = (part: string) => `
  select not exists (select from ${part}) and exists (
    select from log.event where position >= (
      select substring(pg_get_expr(relpartbound, oid) from 'TO \\(''?(\\d+)')::bigint from pg_class
      where oid = $1::regclass)) as emptied`
/** What an interrupted scavenge left: taken out half, or whole and still there. */
const DETACHED = `
  select c.oid::regclass::text as part, coalesce(i.inhdetachpending, false) as half
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = 'log'::regnamespace and c.relkind = 'r' and c.relname ~ '^event_[0-9]+$'
    and (i.inhrelid is null or i.inhdetachpending)`

const ATTACHED = `select inhrelid::regclass::text as part from pg_inherits
  where inhparent = 'log.event'::regclass and not inhdetachpending`

/**
 * Drops the partitions that this scavenge, or one before that was interrupted, has left without an event, and waits for who
 * reads the log meanwhile; it keeps nobody waiting. The newest stay: what is written comes there.
 */
export async function dropEmptied(db: Db): Promise<void> {
  const { rows: left } = await db.query<{ part: string; half: boolean }>(DETACHED)
  for (const { part, half } of left) {
    if (half) await db.query(`alter table log.event detach partition ${part} finalize`)
    if ((await db.query(`select from ${part} limit 1`)).rowCount === 0) await db.query(`drop table ${part}`)
  }
  const { rows: attached } = await db.query<{ part: string }>(ATTACHED)
  for (const { part } of attached) {
    if (!(await db.query<{ emptied: boolean }>(IS_EMPTIED(part), [part])).rows[0]!.emptied) continue
    await db.query(`alter table log.event detach partition ${part} concurrently`)
    await db.query(`drop table ${part}`)
  }
}
