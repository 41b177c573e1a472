import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrateTo, migrateToLatest } from '../../migrations/index.ts'
import { testDatabase } from '../support/postgres.ts'

test('what was owed before there was an order goes in the order of its changes', async () => {
  const database = await testDatabase()
  const pool = new pg.Pool(database.config)
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await migrateTo(db, '20260101T004100Z-unsampled')
  await sql`insert into app.owed_command (id, member, what, at, due_at)
    values ('on', 'ann', '{"type":"NoteSecondFactor","how":"turned-on"}', now() - interval '2 minutes', now()),
      ('off', 'ann', '{"type":"NoteSecondFactor","how":"turned-off"}', now() - interval '1 minute', now())`.execute(db)
  // The release before tried the first, which was due first, and the log was away.
  await sql`update app.owed_command set tries = tries + 1 where id = 'on'`.execute(db)
  await migrateToLatest(db)
  const { rows } = await sql<{ id: string }>`select id from app.owed_command order by number`.execute(db)
  await db.destroy()
  await database.drop()
  expect(rows.map(({ id }) => id)).toEqual(['on', 'off'])
})
