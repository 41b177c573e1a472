import { type Kysely, sql } from 'kysely'

/** How fast a read model goes, whether it is paused, and how far each part of a shared filling is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The rate fades with the seconds since it was noted.
  await sql`alter table app.projection
    add column events_per_second double precision not null default 0,
    add column rated_at timestamptz not null default now()`.execute(db)
  await sql`create table app.projection_pause (
    name text primary key,
    paused_at timestamptz not null default now()
  )`.execute(db)
  await sql`create table app.projection_part (
    name text not null,
    version integer not null,
    generation integer not null,
    part integer not null,
    parts integer not null,
    position text collate "C" not null,
    primary key (name, version, generation, part),
    foreign key (name, version, generation) references app.projection on delete cascade
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.projection_part, app.projection_pause`.execute(db)
  await sql`alter table app.projection drop column events_per_second, drop column rated_at`.execute(db)
}
