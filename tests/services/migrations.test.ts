import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrateToLatest } from '../../migrations/index.ts'
import { openAppDb } from '../../services/app-db.ts'
import { testDatabase } from '../support/postgres.ts'

function open(config: pg.ClientConfig): Kysely<unknown> {
  const pool = new pg.Pool(config)
  // Dropping the database may still meet a connection that is on its way out.
  pool.on('error', () => undefined)
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}

test('starters at once migrate once', async () => {
  // A starter that looks while another changes tables fails now and then.
  for (let round = 0; round < 6; round++) {
    const database = await testDatabase()
    const starters = Array.from({ length: 4 }, () => open(database.config))
    const ran = (await Promise.all(starters.map(migrateToLatest))).flat()
    expect(ran).toEqual([...new Set(ran)])
    expect(ran.length).toBeGreaterThan(5)
    expect(await migrateToLatest(starters[0]!)).toEqual([])
    await Promise.all(starters.map((db) => db.destroy()))
    await database.drop()
  }
})

test('the handle on schema app sees its tables and none of schema read', async () => {
  const database = await testDatabase()
  const starter = open(database.config)
  await migrateToLatest(starter)
  const app = openAppDb(database.config)
  expect(await app.selectFrom('session').selectAll().execute()).toEqual([])
  const { rows } = await sql<{ member: string }>`select * from read.member_cell`.execute(starter)
  expect(rows).toEqual([])
  await expect(sql`select * from member_cell`.execute(app)).rejects.toThrow('does not exist')
  await app.destroy()
  await starter.destroy()
  await database.drop()
})

test('counts come back as numbers, and one beyond exact numbers is an error', async () => {
  const database = await testDatabase()
  const app = openAppDb(database.config)
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_class`.execute(app)
  expect(rows[0]?.n).toBeTypeOf('number')
  await expect(sql`select 9007199254740993::int8`.execute(app)).rejects.toThrow('beyond exact numbers')
  await app.destroy()
  await database.drop()
})
