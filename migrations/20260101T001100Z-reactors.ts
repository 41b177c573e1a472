import { type Kysely, sql } from 'kysely'

/** How far each reactor has looked, and the effects that it still owes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.reactor (
    name text primary key,
    position text collate "C" not null,
    updated_at timestamptz not null default now()
  )`.execute(db)
  await sql`create table app.reactor_effect (
    reactor text not null,
    event_id text not null,
    position text collate "C" not null,
    stream text not null,
    revision bigint not null,
    state text not null default 'owed' check (state in ('owed', 'done', 'given-up')),
    tries integer not null default 0,
    due_at timestamptz not null default now(),
    reason text,
    primary key (reactor, event_id)
  )`.execute(db)
  // Serves the search for what is due.
  await sql`create index reactor_effect_owed on app.reactor_effect (reactor, position) where state = 'owed'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.reactor_effect, app.reactor`.execute(db)
}
