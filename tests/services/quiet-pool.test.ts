import pg from 'pg'
import { expect, test } from 'vitest'
import { quiet } from '../../services/quiet-pool.ts'
import { testDatabase } from '../support/postgres.ts'
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
