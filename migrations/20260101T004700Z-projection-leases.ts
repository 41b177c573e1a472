import { type Kysely, sql } from 'kysely'

/** Which processes could feed read models, by the backend of a connection that each keeps open, and which of them feeds which. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.projector (
    process uuid primary key,
    pid integer not null,
    started timestamptz not null,
    wants text[] not null,
    behind boolean not null,
    seen_at timestamptz not null
  )`.execute(db)
  await sql`create table app.projection_lease (
    name text primary key,
    process uuid not null references app.projector on delete cascade
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.projection_lease, app.projector`.execute(db)
}
