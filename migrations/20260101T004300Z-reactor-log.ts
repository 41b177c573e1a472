import { type Kysely, sql } from 'kysely'

/** The log that a reactor's position belongs to; null where it was noted before logs had ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.reactor add column log_id text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.reactor drop column log_id`.execute(db)
}
