import type pg from 'pg'
import { endOfPartitions, makePartitions, SPAN } from '../../eventstore/embedded/storage/partitions.ts'

const COLUMNS = 'position, stream, revision, id, type, json, created, data, metadata'

/** Writes what a query answers into an empty log's own tables, past its server; `COLUMNS` is what the query answers, in this order. */
export const fillSql = (query: string): string => `
  with made (${COLUMNS}) as materialized (${query}),
    begun as (
      insert into log.stream (id, name, born)
      select (select coalesce(max(id), 0) from log.stream) + row_number() over (order by min(position)), stream, min(position)
      from made where not exists (select from log.stream s where s.name = made.stream) group by stream
      returning id, name)
  insert into log.event (${COLUMNS}, stream_id)
  select made.*, coalesce(begun.id, (select s.id from log.stream s where s.name = made.stream))
  from made left join begun on begun.name = made.stream order by position`

/** Partitions for so many positions. */
export async function makeRoom(db: Pick<pg.ClientBase, 'query'>, last: number): Promise<void> {
  const end = await endOfPartitions(db, 'log.event')
  await makePartitions(db, 'log.event', { end, first: 1, last, span: SPAN })
}
