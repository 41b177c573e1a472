import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ANSWER_MS, shareProcessLock, withoutProcesses } from '../../../server/process-lock.ts'
import { openStorage } from '../../../server/storage.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'
import { type Line, lineTo } from './line.ts'

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

test('a lock outlasts the time after which the server ends connections without work', async () => {
  const impatient = await freshDatabase()
  onTestFinished(() => impatient.drop())
  const { config } = impatient
  await impatient.run(`alter database ${pg.escapeIdentifier(config.database!)} set idle_session_timeout = '100ms'`)
  const other = new pg.Client(config)
  other.on('error', () => undefined)
  const worked = withoutProcesses(config, async ({ signal }) => {
    const ended = new Promise((resolve) => other.once('end', resolve))
    await other.connect()
    await ended
    return signal.aborted
  })
  expect(await worked).toBe(false)
})

test('work is rejected at once when the connection that keeps others out is lost', async () => {
  let ended: unknown
  const working = withoutProcesses(database.config, async ({ signal }) => {
    signal.addEventListener('abort', () => {
      ended = signal.reason
    })
    const [pid] = await holders()
    await kill(pid!)
    return new Promise(() => undefined)
  })
  const lost = 'The connection that keeps others out was lost: terminating connection due to administrator command'
  await expect(working).rejects.toThrow(lost)
  expect(ended).toMatchObject({ message: lost })
})

test('a lock that was let go is free, though the server has not seen the end of its connection', async () => {
  const line = await lineTo(database.config)
  await withoutProcesses(line.config, async () => undefined)
  const lock = await shareProcessLock(line.config)
  await lock.release()
  expect(await alone()).toBe('alone')
})

test('a process ends within two seconds when the line to its lock is silent, or its connection comes to nothing', async () => {
  for (const lost of [false, true]) {
    const line = await lineTo(database.config)
    const lock = await shareProcessLock(line.config)
    line.freeze()
    if (lost) {
      line.cut()
      await until('it connects again', () => line.asked() === 2)
    }
    const startedAt = performance.now()
    await lock.release()
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    for (const pid of await holders()) await kill(pid)
  }
  await until('the lock is free', async () => (await holders()).length === 0)
})

test('whoever waits for a database that went silent gets an error, and can let go of the lock', async () => {
  const line = await lineTo(database.config)
  const lock = await shareProcessLock(line.config)
  line.freeze()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const looking = lock.look()
  vi.advanceTimersByTime(ANSWER_MS)
  await expect(looking).rejects.toThrow('The database is connected, and has given no answer for 10 s.')
  vi.useRealTimers()
  await lock.release()
  for (const pid of await holders()) await kill(pid)
  await until('the lock is free', async () => (await holders()).length === 0)
})

test('whoever cannot bring the tables up to date has the lock no more', async () => {
  const broken = await freshDatabase()
  onTestFinished(() => broken.drop())
  await (await openStorage(broken.config)).close()
  await broken.run(`insert into app.kysely_migration (name, timestamp) values ('99990101T000000Z-unknown', '')`)
  await expect(openStorage(broken.config)).rejects.toThrow('99990101T000000Z-unknown')
  expect(await withoutProcesses(broken.config, async () => 'alone')).toBe('alone')
})

/** A restore that has the lock before a process that has lost it comes back. */
async function restoreBetween(): Promise<{ end(): Promise<void> }> {
  const pids = await holders()
  const restore = new pg.Client(database.config)
  await restore.connect()
  // Next in line: it has the lock once the others have lost theirs.
  const locked = restore.query(`select pg_advisory_lock(hashtext('product-process'))`)
  const waits = `select from pg_locks where not granted and ${OF_THIS}`
  await until('the restore waits', async () => (await run(waits)).rowCount === 1)
  await Promise.all(pids.map(kill))
  await locked
  return { end: () => restore.end() }
}

test('a process that comes back while a restore is at work is notified of it, and can end meanwhile', async () => {
  const notified: Error[] = []
  const lock = await shareProcessLock(database.config, { onRestore: (error) => notified.push(error) })
  const restore = await restoreBetween()
  await until('the process is notified', () => notified.length === 1)
  expect(notified[0]).toMatchObject({ name: 'BeingRestored', message: RESTORING })
  expect(await holders()).toHaveLength(1)
  await lock.release()
  await restore.end()
})

test('tables whose process comes back while a restore is at work are closed to it', async () => {
  const notified: Error[] = []
  const storage = await openStorage(database.config, { onRestore: (error) => notified.push(error) })
  const members = () => storage.app.selectFrom('credential').selectAll().execute()
  expect(await members()).toEqual([])
  const restore = await restoreBetween()
  await until('the process is notified', () => notified.length === 1)
  await expect(storage.pool.query('select 1')).rejects.toThrow('Cannot use a pool after calling end on the pool')
  await expect(members()).rejects.toThrow('destroyed')
  await storage.close()
  await restore.end()
})

/** Nothing passes over the line while a restore begins, puts other tables there, and ends. */
async function cutOffThroughRestore(served: FreshDatabase, line: Line): Promise<void> {
  line.freeze()
  await served.run(`select pg_terminate_backend(pid) from pg_locks where granted and ${OF_THIS}`)
  line.cut()
  await withoutProcesses(served.config, ({ client }) => client.query('drop schema app cascade; create schema app'))
  line.thaw()
}

test('the very first process, which makes the tables, notices a whole restore as well', async () => {
  const served = await freshDatabase()
  onTestFinished(() => served.drop())
  const line = await lineTo(served.config)
  const notified: Error[] = []
  const storage = await openStorage(line.config, { onRestore: (error) => notified.push(error) })
  await cutOffThroughRestore(served, line)
  await until('the process is notified', () => notified.length === 1)
  expect(notified[0]).toMatchObject({ name: 'BeingRestored' })
  await storage.close()
})

test('a process that was cut off through a whole restore is notified of it once it is back', async () => {
  const served = await freshDatabase()
  onTestFinished(() => served.drop())
  await (await openStorage(served.config)).close()
  const line = await lineTo(served.config)
  const notified: Error[] = []
  const away: unknown[] = []
  const lock = await shareProcessLock(line.config, {
    onRestore: (error) => notified.push(error),
    onAway: (error) => away.push(error),
  })
  await cutOffThroughRestore(served, line)
  await until('the process is notified', () => notified.length === 1)
  const message = 'This database was restored while the connection to it was lost. Start again.'
  expect(notified[0]).toMatchObject({ name: 'BeingRestored', message })
  expect(away).toHaveLength(1)
  await lock.release()
})
