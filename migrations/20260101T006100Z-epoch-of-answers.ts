import { type Kysely, sql } from 'kysely'

/** Which log a kept answer is of, and of what life; null where a release that did not ask has kept it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.idempotent_answer add column epoch text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.idempotent_answer drop column epoch`.execute(db)
}
