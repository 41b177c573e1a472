import { type Kysely, sql } from 'kysely'

/** When a member who moved at the greatest speed would have been where they say they are; null once that is past. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.position add column arrives_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.position drop column arrives_at`.execute(db)
}
