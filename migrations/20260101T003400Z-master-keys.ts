import { type Kysely, sql } from 'kysely'

/** Which master keys seal what is here, by names that say nothing about them, and keys that outlive the master key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // From `retiring_at` on nobody may seal with it any more; from `retired_at` on nothing is under it.
  await sql`create table app.master_key (
    id text primary key,
    since timestamptz not null default now(),
    retiring_at timestamptz,
    retired_at timestamptz
  )`.execute(db)
  await sql`create table app.kept_key (
    purpose text primary key,
    wrapped bytea not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.kept_key, app.master_key`.execute(db)
}
