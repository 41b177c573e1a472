import type pg from 'pg'
import { createSql } from './partitions.ts'

type Db = Pick<pg.ClientBase, 'query'>

/** `single`: all events in one table, found by the names of streams. `partitioned`: by their numbers, in partitions. */
export type Layout = 'single' | 'partitioned'

/** How the log of a database is laid out; null where there is none. */
export async function layoutOf(db: Db): Promise<Layout | null> {
  const { rows } = await db.query<{ partitioned: boolean }>(
    `select relkind = 'p' as partitioned from pg_class where oid = to_regclass('log.event')`,
  )
  return rows[0] ? (rows[0].partitioned ? 'partitioned' : 'single') : null
}

/** The tables of an empty log. */
export async function createTables(db: Db): Promise<void> {
  await db.query('begin')
  await db.query(createSql('log.event'))
  await db.query('commit')
}
