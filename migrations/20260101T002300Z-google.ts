import { type Kysely, sql } from 'kysely'

/** The unique key serves sign-in with Google; the one of a proof goes with it into the account that it becomes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.credential add column google_key text unique`.execute(db)
  await sql`alter table app.signup_proof add column google_key text`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.credential drop column google_key`.execute(db)
  await sql`alter table app.signup_proof drop column google_key`.execute(db)
}
