import { type Kysely, sql } from 'kysely'

/** Which registration is at work on a proof, and until when others wait for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.signup_proof
    drop column spent_by,
    add column held_by text,
    add column held_until timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.signup_proof drop column held_by, drop column held_until,
    add column spent_by text`.execute(db)
}
