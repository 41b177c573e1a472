import pg from 'pg'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import type { Log } from '../../../eventstore/log.ts'

/** How often a version of an event occurs in a log. */
export type StoredCount = { readonly type: string; readonly version: string; readonly events: number }

const PAGE = 2_000
const COUNT = `
  select type, coalesce(convert_from(metadata, 'utf8')::json ->> 'schema', 'none') as version, count(*)::int as events
  from log.event where left(type, 1) <> '$' group by 1, 2 order by 1, 2`

/** By the embedded log's own table. */
export async function countInTable(database: pg.ClientConfig): Promise<StoredCount[]> {
  const client = new pg.Client(database)
  await client.connect()
  return client
    .query<StoredCount>(COUNT)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

/** By reading the whole log through the client. */
export async function countInLog(log: Pick<Log, 'readAll'>, onEvents: (count: number) => void): Promise<StoredCount[]> {
  const counts = new Map<string, StoredCount>()
  let done = 0
  for (let from: Position = START; ; ) {
    const page = await log.readAll(from, PAGE)
    const last = page[page.length - 1]
    if (!last) break
    for (const { type, metadata } of page) {
      const version = String(metadata.schema ?? 'none')
      const key = `${type}.v${version}`
      counts.set(key, { type, version, events: (counts.get(key)?.events ?? 0) + 1 })
    }
    from = last.position
    done += page.length
    onEvents(done)
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}
