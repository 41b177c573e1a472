import { type Kysely, sql } from 'kysely'

/** A row for each set of tables of a read model; it moves in the transaction that writes their rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.projection (
    name text not null,
    version integer not null,
    generation integer not null,
    state text not null check (state in ('filling', 'live', 'retired')),
    position text collate "C" not null,
    epoch text,
    error text,
    updated_at timestamptz not null default now(),
    primary key (name, version, generation)
  )`.execute(db)
  await sql`create unique index projection_live on app.projection (name) where state = 'live'`.execute(db)
  await sql`create unique index projection_filling on app.projection (name) where state = 'filling'`.execute(db)
  // Readers lock it in share mode for as long as they read, a swap alone: views never change under a reader.
  await sql`create table app.projection_swap ()`.execute(db)
  await sql`create table app.quarantine (
    name text not null,
    version integer not null,
    generation integer not null,
    event_id text not null,
    position text collate "C" not null,
    type text not null,
    stream text not null,
    revision bigint not null,
    key text not null,
    reason text not null,
    at timestamptz not null default now(),
    primary key (name, version, generation, event_id),
    foreign key (name, version, generation) references app.projection on delete cascade
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.quarantine, app.projection_swap, app.projection`.execute(db)
}
