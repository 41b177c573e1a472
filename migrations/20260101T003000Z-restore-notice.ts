import { type Kysely, sql } from 'kysely'

/** Members who have yet to hear by mail that their account is as it was when a backup was made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.restore_notice (
    member text primary key,
    backup_at timestamptz not null,
    restored_at timestamptz not null,
    tries integer not null default 0,
    due_at timestamptz not null default 'epoch'
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.restore_notice`.execute(db)
}
