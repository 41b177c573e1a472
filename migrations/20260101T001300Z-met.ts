import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Whom somebody was shown within the hour; like the counters it survives a restart, not a crash of the database.
  await sql`create unlogged table app.met (
    key text collate "C" not null,
    item text collate "C" not null,
    met_at timestamptz not null,
    primary key (key, item)
  )`.execute(db)
  // Serves the sweep of what was met before the window.
  await sql`create index met_met_at on app.met (met_at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.met`.execute(db)
}
