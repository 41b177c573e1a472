import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.subject_key (
    subject text primary key,
    wrapped bytea not null,
    created_at timestamptz not null default now()
  )`.execute(db)
  await sql`create table app.destroyed_key (
    subject text primary key,
    destroyed_at timestamptz not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.subject_key, app.destroyed_key`.execute(db)
}
