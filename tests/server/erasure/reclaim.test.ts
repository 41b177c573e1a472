import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createReclaiming } from '../../../server/tools/erasure/reclaim.ts'
import { createLogger } from '../../../services/log.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { until } from '../../support/until.ts'

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
async function sweep(
  at: Date,
  { signal, ...more }: { largest?: number; waitMs?: number; signal?: AbortSignal } = {},
): Promise<string> {
  lines.length = 0
  await createReclaiming({ pool, logger, now: () => at, ...more }).sweep(signal)
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

/** Until what it answers is called, another connection has this open. */
async function opened(...statements: readonly string[]): Promise<() => Promise<void>> {
  const other = await pool.connect()
  await other.query('begin')
  for (const statement of statements) await other.query(statement)
  let end = async () => {
    end = async () => undefined
    await other.query('commit')
    other.release()
  }
  onTestFinished(() => end())
  return () => end()
}

test('a large table is left and named; one that is in use is left for a later round of the night', async () => {
  await fillAndEmpty()
  await erase('cat')
  const end = await opened('lock table app.session in access share mode')
  const startedAt = performance.now()
  const log = await sweep(day(5, 3), { largest: 200_000 })
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(log).toMatch(/app\.session.*55P03/)
  expect(log).toMatch(/app\.mailbox.*This large table/)
  await end()
  expect(await sweep(day(5, 4), { largest: 200_000 })).toMatch(/"count":1\b.*Tables were made anew/)
  expect(await sweep(day(5, 4), { largest: 200_000 })).toBe('')
})

test('while a transaction from before may see what was erased, nothing counts as cleared', async () => {
  const end = await opened('set transaction isolation level repeatable read', 'select from app.mailbox')
  await fillAndEmpty()
  await erase('eve')
  expect(await sweep(day(6, 3), { waitMs: 100 })).toMatch(/An old transaction is open/)
  await end()
  expect(await sweep(day(6, 3))).toMatch(/Tables were made anew/)
  expect(await sizeOf()).toBe('0')
})

test('a transaction of another database that began before keeps what was erased too, and nothing counts as cleared', async () => {
  const elsewhere = await freshDatabase()
  const client = new pg.Client(elsewhere.config)
  await client.connect()
  onTestFinished(() => elsewhere.drop())
  await client.query('begin; select pg_current_xact_id()')
  await fillAndEmpty()
  await erase('fay')
  expect(await sweep(day(7, 3), { waitMs: 100 })).toMatch(/An old transaction is open/)
  await client.query('commit')
  await client.end()
  expect(await sweep(day(7, 3))).toMatch(/Tables were made anew/)
  expect(await sizeOf()).toBe('0')
})

test('of two processes one does it', async () => {
  await erase('dan')
  const other = await pool.connect()
  await other.query(`select pg_advisory_lock(hashtext('reclaim'))`)
  expect(await sweep(day(8, 3))).toBe('')
  await other.query(`select pg_advisory_unlock(hashtext('reclaim'))`)
  other.release()
  expect(await sweep(day(8, 3))).toMatch(/Tables were made anew/)
})

test('a stop waits for no old transaction, and for no more than a table, which the next round takes up', async () => {
  const end = await opened('set transaction isolation level repeatable read', 'select from app.mailbox')
  await fillAndEmpty()
  await erase('gil')
  const stopping = new AbortController()
  const swept = sweep(day(9, 3), { signal: stopping.signal, waitMs: 600_000 })
  await until('it waits', async () => {
    const asked = `select from pg_stat_activity where query like '%pg_replication_slots%' and state = 'idle' and pid <> pg_backend_pid()
      and datname = current_database()`
    return (await pool.query(asked)).rowCount !== 0
  })
  stopping.abort()
  expect(await swept).not.toMatch(/An old transaction is open|Tables/)
  await end()
  expect(await sweep(day(9, 3), { signal: stopping.signal })).toBe('')
  expect(await sweep(day(9, 3))).toMatch(/Tables were made anew/)
})
