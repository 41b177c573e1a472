import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrateTo, migrateToLatest } from '../../migrations/index.ts'
import { openAppDb } from '../../services/app-db.ts'
import { testDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'

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

test('a migration that waits for who reads a table for long, such as a backup, keeps nobody from the table', async () => {
  const database = await testDatabase()
  const [starter, others] = [open(database.config), open(database.config)]
  await migrateToLatest(starter)
  await migrateTo(starter, '20260101T006000Z-set-back-of-targets')
  const upgrading = await others.transaction().execute(async (reader) => {
    await sql`lock table app.idempotent_answer in access share mode`.execute(reader)
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(reader)
    const going = migrateToLatest(starter)
    await until('it waits', async () => {
      const { rows: waits } = await sql`select from pg_locks l join pg_class c on c.oid = l.relation
        where not l.granted and c.relname = 'idempotent_answer' and l.pid <> ${rows[0]!.pid}`.execute(others)
      return waits.length > 0
    })
    let answered = false
    const asked = sql`select from app.idempotent_answer`.execute(others).then(() => {
      answered = true
    })
    await until('a page of the release before is answered', () => answered).catch((error: unknown) => error)
    return { going, asked, answered }
  })
  await upgrading.asked
  expect(upgrading.answered).toBe(true)
  expect(await upgrading.going).toContain('20260101T006100Z-epoch-of-answers')
  await Promise.all([starter.destroy(), others.destroy()])
  await database.drop()
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
