import { type Kysely, sql } from 'kysely'

/** Of which read models a process fills tables, also while it rests before another try. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.projector add column fills text[] not null default '{}'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.projector drop column fills`.execute(db)
}
