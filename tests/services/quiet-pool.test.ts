import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
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
  await expect(pool.query('select pg_sleep(60)')).rejects.toThrow('silent')
  expect(await long).toBe(1)
  taken.release()
  await pool.query('select 1')
  silence()
  await expect(pool.query('select 1')).rejects.toThrow('silent')
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
