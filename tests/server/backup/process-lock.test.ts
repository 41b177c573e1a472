import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareProcessLock, withoutProcesses } from '../../../server/process-lock.ts'
import { openStorage } from '../../../server/storage.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const OF_THIS = `locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
const run = <Row extends pg.QueryResultRow>(text: string) => database.run(text) as Promise<pg.QueryResult<Row>>

async function holders(): Promise<number[]> {
  const { rows } = await run<{ pid: number }>(`select pid from pg_locks where granted and ${OF_THIS} order by pid`)
  return rows.map(({ pid }) => pid)
}
const kill = (pid: number) => database.run('select pg_terminate_backend($1)', [pid])
const alone = () => withoutProcesses(database.config, async () => 'alone')
const REFUSED = 'A process of the product is connected to this database. Stop it first.'
const RESTORING = 'This database is being restored. Start again once the restore has ended.'

test('any number of processes share the lock, and a restore gets it after the last of them', async () => {
  const locks = [await shareProcessLock(database.config), await shareProcessLock(database.config)]
  for (const lock of locks) {
    await expect(alone()).rejects.toThrow(REFUSED)
    await lock.release()
  }
  expect(await alone()).toBe('alone')
  expect(await holders()).toEqual([])
})

test('whoever opens the tables has the lock until they are closed', async () => {
  const storage = await openStorage(database.config)
  await expect(alone()).rejects.toThrow(REFUSED)
  await storage.close()
  expect(await alone()).toBe('alone')
})

test('no process starts while a restore is at work', async () => {
  await withoutProcesses(database.config, async () => {
    await expect(shareProcessLock(database.config)).rejects.toThrow(RESTORING)
    await expect(alone()).rejects.toThrow(REFUSED)
  })
  await (await shareProcessLock(database.config)).release()
})

test('a process that loses its connection has the lock again, each time, until it ends', async () => {
  const lock = await shareProcessLock(database.config)
  for (let round = 0; round < 3; round++) {
    const [pid] = await holders()
    await kill(pid!)
    await until('another connection has the lock', async () => {
      const [now] = await holders()
      return now !== undefined && now !== pid
    })
    await expect(alone()).rejects.toThrow(REFUSED)
  }
  await lock.release()
  expect(await alone()).toBe('alone')
})

test('a process that comes back while a restore is at work has the lock after it, and can end meanwhile', async () => {
  const [one, other] = [await shareProcessLock(database.config), await shareProcessLock(database.config)]
  const pids = await holders()
  const restore = new pg.Client(database.config)
  await restore.connect()
  // Next in line: it has the lock once both have lost theirs.
  const locked = restore.query(`select pg_advisory_lock(hashtext('product-process'))`)
  const waits = `select from pg_locks where not granted and ${OF_THIS}`
  await until('the restore waits', async () => (await run(waits)).rowCount === 1)
  await Promise.all(pids.map(kill))
  await locked
  await one.release()
  expect(await holders()).toHaveLength(1)
  await restore.end()
  await until('the other has the lock', async () => (await alone().catch(() => 'refused')) === 'refused')
  await other.release()
  expect(await alone()).toBe('alone')
})
