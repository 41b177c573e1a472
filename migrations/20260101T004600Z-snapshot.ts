import { type Kysely, sql } from 'kysely'

/** What a long stream was folded to at a revision of a log, by a version of its decider's fold. Any row may go at any time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.snapshot (
    stream text primary key,
    log_id text not null,
    version integer not null,
    revision integer not null,
    anchor text not null,
    state jsonb not null,
    commands bytea not null
  )`.execute(db)
  // Hashes, which no compression makes smaller; and nothing plans by what is in these.
  await sql`alter table app.snapshot alter column commands set storage external,
    alter column commands set statistics 0, alter column state set statistics 0`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.snapshot`.execute(db)
}
