import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Counters survive a restart, not a crash of the database: unlogged, because they are written on every request.
  await sql`create unlogged table app.rate (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`.execute(db)
  // Serves the sweep of windows that are over.
  await sql`create index rate_expire on app.rate (expire)`.execute(db)
  await sql`create table app.login_guard (
    key text primary key,
    window_started_at timestamptz not null,
    in_window integer not null,
    in_a_row integer not null,
    waits integer not null,
    next_at timestamptz not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.rate, app.login_guard`.execute(db)
}
