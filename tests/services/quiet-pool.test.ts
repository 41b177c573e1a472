import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { copyIn } from '../../eventstore/postgres-copy.ts'
import { enginePool, quiet, shortPool } from '../../services/quiet-pool.ts'
import { testDatabase } from '../support/postgres.ts'
import { wayTo } from '../support/servers/way-to.ts'
import { until } from '../support/until.ts'

test('a connection that dies between two statements fails its user, and neither the process nor the pool', async () => {
  const database = await testDatabase()
  const pool = quiet(new pg.Pool({ ...database.config, max: 2 }))
  try {
    const client = await pool.connect()
    let dead = false
    client.once('end', () => {
      dead = true
    })
    await client.query('begin')
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    await until('the connection is gone', () => dead)
    await expect(client.query('commit')).rejects.toThrow()
    client.release(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
    await database.drop()
  }
})

test('a query whose connection falls silent fails, and the next one gets a connection of its own', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const { silence, ...address } = await wayTo(database.config)
  const pool = shortPool({ ...database.config, ...address, max: 1 }, 400)
  onTestFinished(() => pool.end())
  await pool.query('select 1')
  silence()
  await expect(pool.query('select 1')).rejects.toThrow('silent')
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('new connections that nobody answers give their places to others', async () => {
  for (const open of [shortPool, enginePool]) {
    const database = await testDatabase()
    onTestFinished(() => database.drop())
    const { stick, accepted, host, port } = await wayTo(database.config)
    const pool = open({ ...database.config, host, port, max: 2 }, 400)
    onTestFinished(() => pool.end())
    stick(true)
    const stuck = [pool.connect(), pool.connect()].map((one) => expect(one).rejects.toThrow('timeout expired'))
    await until('both are on their way', () => accepted() === 2)
    stick(false)
    const client = await pool.connect()
    await Promise.all(stuck)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    client.release()
  }
})

test('a connection that is used for long, and answers each time, is not cut', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const pool = shortPool({ ...database.config, max: 1 }, 400)
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  const startedAt = performance.now()
  while (performance.now() - startedAt < 1_200) await client.query('select pg_sleep(0.15)')
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('of an engine’s pool a look-up that falls silent fails, and a connection that was taken may be silent for long', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const { silence, ...address } = await wayTo(database.config)
  const pool = enginePool({ ...database.config, ...address, max: 1 }, 400)
  onTestFinished(() => pool.end())
  const taken = await pool.connect()
  const long = taken.query('select pg_sleep(1.2), 1 as one').then(({ rows }) => rows[0].one)
  await expect(pool.query('select pg_sleep(60)')).rejects.toThrow('statement timeout')
  expect(await long).toBe(1)
  taken.release()
  await pool.query('select 1')
  silence()
  await expect(pool.query('select 1')).rejects.toThrow('silent')
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('while a table is locked no more wait for it at the server than the pool has, and another table is looked at', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const [locker, admin] = [new pg.Client(database.config), new pg.Client(database.config)]
  for (const client of [locker, admin]) {
    await client.connect()
    onTestFinished(() => client.end())
  }
  await admin.query('create table locked (); create table other ()')
  await locker.query('begin; lock table locked in access exclusive mode')
  const silentMs = 1_000
  const pool = enginePool({ ...database.config, max: 1 }, silentMs)
  onTestFinished(() => pool.end())
  const under = new Map<string, number>()
  let answered = 0
  /** Has as many queries under way. */
  const ask = (table: string, atOnce: number) => {
    for (let n = under.get(table) ?? 0; n < atOnce; n++) {
      under.set(table, (under.get(table) ?? 0) + 1)
      const done = () => void under.set(table, under.get(table)! - 1)
      pool.query(`select from ${table}`).then(() => {
        answered++
        done()
      }, done)
    }
  }
  let most = 0
  const startedAt = performance.now()
  while (performance.now() - startedAt < 3.5 * silentMs) {
    ask('locked', 10)
    ask('other', 1)
    const { rows } = await admin.query(
      `select count(*)::integer as n, pg_sleep(0.05) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    most = Math.max(most, rows[0].n)
  }
  expect(answered).toBeGreaterThan(0)
  expect(most).toBeGreaterThan(4)
  expect(most).toBeLessThanOrEqual(8)
  await locker.query('rollback')
  await until('nobody waits', () => [...under.values()].every((n) => n === 0))
})

test('a filling over a network that fell silent fails, and its server keeps no lock', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const admin = new pg.Client(database.config)
  await admin.connect()
  onTestFinished(() => admin.end())
  await admin.query('create table filled (line text)')
  const { silence, ...address } = await wayTo(database.config)
  const pool = enginePool({ ...database.config, ...address, max: 1 }, 400, 400)
  onTestFinished(() => pool.end())
  const taken = await pool.connect()
  const under = async () =>
    (await admin.query(`select from pg_stat_activity where query like 'copy filled%' and wait_event = 'ClientRead'`))
      .rowCount === 1
  async function* lines() {
    yield Buffer.from('one\n')
    await until('the server waits for more', under)
    silence()
    yield Buffer.from('two\n')
  }
  await taken.query('begin')
  await expect(copyIn(taken, 'copy filled from stdin', lines())).rejects.toThrow('silent')
  taken.release()
  await until('its transaction is over', async () => !(await under()))
  const next = await pool.connect()
  expect((await next.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  next.release()
})

test('a server is told when a process counts as gone without a word', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const pool = enginePool({ ...database.config, max: 1 })
  onTestFinished(() => pool.end())
  const taken = await pool.connect()
  for (const db of [pool, taken]) {
    // A Unix socket, as here, shows none of their values.
    const { rows } = await db.query(
      `select name from pg_settings where source = 'session' and name like 'tcp_%' order by name`,
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'tcp_keepalives_count',
      'tcp_keepalives_idle',
      'tcp_keepalives_interval',
      'tcp_user_timeout',
    ])
  }
  taken.release()
})
