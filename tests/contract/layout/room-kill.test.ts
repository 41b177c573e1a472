import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresStorage } from '../../../eventstore/embedded/storage/postgres-storage.ts'
import { freshDatabase } from '../../support/fresh-database.ts'

const SPAN = 5
const GROUPS = 60
/** Of those that are killed some have committed already: a quick machine goes on until so many were cut. */
const CUT = 4
const MOST_GROUPS = 20 * GROUPS
const KILL = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())
  and objid = (hashtext('log-server')::bigint & 4294967295)::oid`
/** Partitions in order, each beginning where the one before ends, and tables that are none of them. */
const PARTITIONS = `select relname as name, pg_get_expr(relpartbound, c.oid) as bound, i.inhrelid is not null as attached
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
  where relnamespace = 'log'::regnamespace and relkind = 'r' and relname ~ '^event_' order by length(relname), relname`

test('a writer that is cut while it makes room goes on without a gap, a double or a table left over', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const settings = { database: database.config, logLine: () => undefined, lockWaitMs: 5_000 }
  const storage = new PostgresStorage({ ...settings, tables: { span: SPAN, remembered: 2 } })
  onTestFinished(() => storage.close())
  let last = await storage.open()
  const data = Buffer.alloc(0)
  const revisions = new Map<string, number>()
  const lost: string[] = []
  for (let group = 0; group < GROUPS || (lost.length < CUT && group < MOST_GROUPS); group++) {
    const events = Array.from({ length: 1 + (group % 9) }, (_, at) => {
      const stream = `s-${(group * at) % 13}`
      const revision = (revisions.get(stream) ?? -1) + 1
      revisions.set(stream, revision)
      const event = { stream, revision, id: randomUUID(), type: 'Noted', json: true, created: 0, data, metadata: data }
      return { ...event, position: last + at + 1 }
    })
    const committing = storage.commit(events)
    const killing = group % 3 === 0 ? database.run(KILL) : undefined
    const done = await committing.then(
      () => true,
      () => false,
    )
    await killing
    // The outcome of what was cut is what the log has.
    if (!done || !storage.writable()) {
      last = await storage.open()
      revisions.clear()
      const { rows } = await database.run('select stream, max(revision)::int as last from log.event group by stream')
      for (const row of rows) revisions.set(row.stream, row.last)
      if (!done) lost.push(String(group))
    } else last = events.at(-1)!.position
  }
  expect(lost.length).toBeGreaterThanOrEqual(CUT)
  const { rows } = await database.run(`select count(*)::int as events, max(position)::int as last,
    count(distinct (stream, revision))::int as revisions from log.event`)
  expect(rows[0]).toEqual({ events: last, last, revisions: last })
  const { rows: parts } = await database.run(PARTITIONS)
  expect(parts.every(({ attached }) => attached)).toBe(true)
  const ends = parts.map(({ bound }) => bound.match(/\d+/g)?.at(-1))
  const starts = parts.map(({ name }) => name.slice('event_'.length))
  expect(starts.slice(1)).toEqual(ends.slice(0, -1))
})
