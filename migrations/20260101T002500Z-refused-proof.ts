import { type Kysely, sql } from 'kysely'

/** Of somebody under eighteen: whatever it began is erased, and never completed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.signup_proof add column refused boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.signup_proof drop column refused`.execute(db)
}
