import { type Kysely, sql } from 'kysely'

/**
 * When the position was accepted that a member's next cell is of. The release before accepts positions without it, and
 * leaves a next cell that is older than they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.position add column next_from timestamptz`.execute(db)
  await sql`update app.position set next_from = accepted_at where next_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.position drop column next_from`.execute(db)
}
