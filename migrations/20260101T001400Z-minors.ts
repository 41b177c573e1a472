import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The keyed hash of an address, and nothing else about its holder.
  await sql`create table app.refused_minor (
    email_key text primary key,
    expires_at timestamptz not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.refused_minor`.execute(db)
}
