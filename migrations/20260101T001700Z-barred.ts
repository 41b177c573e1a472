import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The keyed hash of the address of a suspended account that was erased, and nothing else about its holder.
  await sql`create table app.barred_address (
    email_key text primary key,
    expires_at timestamptz not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.barred_address`.execute(db)
}
