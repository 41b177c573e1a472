import { type Kysely, sql } from 'kysely'

/** Which read models a process has, whatever it can do for them, null of the release before; and when one that has them was last there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.projector add column has text[]`.execute(db)
  await sql`create table app.projection_seen (name text primary key, seen_at timestamptz not null)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.projection_seen`.execute(db)
  await sql`alter table app.projector drop column has`.execute(db)
}
