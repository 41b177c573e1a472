import { type Kysely, sql } from 'kysely'

/** When the call that is at it began; null once nobody is. `created_at` stays that of the first, for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.idempotent_answer add column claimed_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.idempotent_answer drop column claimed_at`.execute(db)
}
