import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReclaiming } from '../../../server/tools/erasure/reclaim.ts'
import { createLogger } from '../../../services/log.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { appTemplate } from '../../support/templates/app.ts'

let database: FreshDatabase
let pool: pg.Pool
const lines: string[] = []
const logger = createLogger({ destination: { write: (line: string) => void lines.push(line) } })

beforeAll(async () => {
  database = await freshDatabase({ template: appTemplate })
  pool = new pg.Pool(database.config)
  pool.on('error', () => undefined)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const day = (date: number, hour: number) => new Date(2030, 0, date, hour)
const erase = (subject: string) =>
  pool.query('insert into app.destroyed_key (subject, destroyed_at, settled_at) values ($1, now(), now())', [subject])
const sizeOf = async () =>
  (await pool.query<{ bytes: string }>(`select pg_relation_size('app.mailbox') as bytes`)).rows[0]!.bytes

/** What one round logs. */
async function sweep(at: Date, more: { largest?: number } = {}): Promise<string> {
  lines.length = 0
  await createReclaiming({ pool, logger, now: () => at, ...more }).sweep()
  return lines.join('')
}

async function fillAndEmpty(): Promise<void> {
  await pool.query(
    `insert into app.mailbox ("to", subject, text, html, at) select 'a', 'b', repeat('c', 500), '', now() from generate_series(1, 2000)`,
  )
  await pool.query('delete from app.mailbox')
}

test('nothing is done while nobody was erased', async () => {
  expect(await sweep(day(1, 3))).toBe('')
})

test('after an erasure what was written ahead goes at once, tables in the night, each once', async () => {
  await fillAndEmpty()
  await erase('ann')
  const before = await sizeOf()
  expect(await sweep(day(1, 14))).toMatch(/"name":"wal"/)
  expect(await sizeOf()).toBe(before)
  expect(await sweep(day(1, 14))).toBe('')
  expect(await sweep(day(2, 3))).toMatch(/Tables were made anew/)
  expect(await sizeOf()).toBe('0')
  expect(await sweep(day(2, 4))).toBe('')
  await erase('bea')
  expect(await sweep(day(2, 4))).not.toMatch(/Tables/)
  expect(await sweep(day(3, 2))).toMatch(/Tables were made anew/)
})

test('a large table and one that is in use are left, others wait for it a moment, and the log names both', async () => {
  await fillAndEmpty()
  await erase('cat')
  const reader = await pool.connect()
  await reader.query('begin')
  await reader.query('select from app.session')
  const startedAt = performance.now()
  const log = await sweep(day(5, 3), { largest: 200_000 })
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  await reader.query('commit')
  reader.release()
  const kept = log.split('\n').filter((line) => line.includes('keeps such space'))
  expect(kept.join()).toContain('app.mailbox')
  expect(kept.join()).toContain('app.session')
  expect(log).toMatch(/could not be made anew.*55P03|55P03.*could not be made anew/)
})

test('of two processes one does it', async () => {
  await erase('dan')
  const other = await pool.connect()
  await other.query(`select pg_advisory_lock(hashtext('reclaim'))`)
  expect(await sweep(day(7, 3))).toBe('')
  await other.query(`select pg_advisory_unlock(hashtext('reclaim'))`)
  other.release()
  expect(await sweep(day(7, 3))).toMatch(/Tables were made anew/)
})
