import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyTuples, KEEP_LAID, tableSource } from '../../../eventstore/chain/table-source.ts'
import { copiedUpTo, copyRange, nextRange, START } from '../../../eventstore/embedded/storage/move/copy.ts'
import { dropSingle, switchOver } from '../../../eventstore/embedded/storage/move/switch-over.ts'
import { createSql } from '../../../eventstore/embedded/storage/partitions.ts'
import { CREATE_SINGLE } from '../../../eventstore/embedded/storage/single-table.ts'
import { tablePages } from '../../../eventstore/log-table.ts'
import { positionOf } from '../../../eventstore/position.ts'
import { atOneMoment } from '../../../server/tools/backup/snapshot.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'

const SPAN = 1_000
let database: Awaited<ReturnType<typeof freshDatabase>>
let writer: pg.Client
/** A hundred events in the layout before, of which sixty are copied. */
beforeEach(async () => {
  database = await freshDatabase()
  await database.run(CREATE_SINGLE)
  await database.run(`insert into log.event
    select n, 's', n - 1, gen_random_uuid(), 'Noted', true, 0, '{}', '{}' from generate_series(1, 100) n`)
  await database.run(createSql('log.event_next'))
  writer = new pg.Client(database.config)
  await writer.connect()
  await writer.query('begin')
  await copyRange(writer, (await nextRange(writer, START, 60))!, SPAN)
  await writer.query('commit')
})
afterEach(async () => {
  await writer.end()
  await database.drop()
})

async function filled(): Promise<number> {
  let events = 0
  const span = { after: positionOf(0), to: positionOf(100), without: [] }
  for await (const page of tablePages(database.config, span)) events += page.events.length
  return events
}
const chained = () => tableSource(database.config).each({ after: 0, to: 100 }, () => undefined)

test('whoever reads the log while its move ends reads every event', async () => {
  const after = await copiedUpTo(writer)
  const query = writer.query.bind(writer) as (...args: unknown[]) => Promise<unknown>
  const reading: Promise<number>[] = []
  const waiting = async () => {
    const { rows } = await database.run(`select from pg_locks where not granted and relation = 'log.event'::regclass`)
    return rows.length === 2
  }
  // Between the lock of the switch and its commit two readers come, and wait.
  Object.assign(writer, {
    async query(...args: unknown[]) {
      const answer = await query(...args)
      if (String(args[0]).startsWith('lock table')) {
        reading.push(filled(), chained())
        await until('both readers wait', waiting)
      }
      return answer
    },
  })
  expect(await switchOver(writer, { after, most: SPAN, span: SPAN })).toBe('done')
  expect(await Promise.all(reading)).toEqual([100, 100])
})

test('a backup that has begun keeps the log as it is laid out until it has copied it', async () => {
  const after = await copiedUpTo(writer)
  const copied = await atOneMoment(
    database.config,
    async (log) => {
      expect(await switchOver(writer, { after, most: SPAN, span: SPAN })).toBe('busy')
      return copyTuples(log, 'copy (select position from log.event) to stdout (format binary)', () => undefined)
    },
    KEEP_LAID,
  )
  expect(copied).toBe(100)
  expect(await switchOver(writer, { after, most: SPAN, span: SPAN })).toBe('done')
})

test('a log that has moved is not switched again, and keeps its events', async () => {
  const after = await copiedUpTo(writer)
  expect(await switchOver(writer, { after, most: SPAN, span: SPAN })).toBe('done')
  await dropSingle(writer)
  expect(await switchOver(writer, { after: 100, most: SPAN, span: SPAN })).toBe('done')
  expect([await filled(), await chained()]).toEqual([100, 100])
})
