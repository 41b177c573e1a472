import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** As `eventstore/log-id.ts` has it: what it was given, or its first event. */
const ID_OF_LOG = `
  select coalesce(
    (select convert_from(data, 'utf8')::json ->> 'logId' from log.event where stream = '$$letsbuzz' order by revision desc limit 1),
    (select id::text from log.event order by position limit 1)) as id`

/** The id of a log that lies in one table; null where it has none yet, since nothing was ever written. */
export async function idOfRestored(log: pg.Client): Promise<string | null> {
  return (await log.query<{ id: string | null }>(ID_OF_LOG)).rows[0]!.id
}

/** A log that comes back is set back: who was at a position of it differs from who is now (`app.set_back`). */
export async function noteRestored(app: pg.Client, logId: string): Promise<void> {
  await app.query(
    `insert into app.set_back (log_id, id, noted_at) values ($1, $2, clock_timestamp())
     on conflict (log_id) do update set id = excluded.id, noted_at = excluded.noted_at`,
    [logId, randomUUID().slice(0, 8)],
  )
}
