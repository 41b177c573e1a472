import { type Kysely, sql } from 'kysely'

/**
 * Requests are known by a keyed hash: what was written with a plain one would answer its own repeat with "another request".
 * A repeat across the upgrade is decided by the command's id alone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from app.idempotent_answer`.execute(db)
}

export async function down(): Promise<void> {
  // Answers that were kept are gone within a day anyway.
}
