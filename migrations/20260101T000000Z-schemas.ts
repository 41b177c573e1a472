import { type Kysely, sql } from 'kysely'

/** `app` holds what cannot be rebuilt from the log, `read` the views of what can. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create schema if not exists app`.execute(db)
  await sql`create schema if not exists read`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop schema read`.execute(db)
}
