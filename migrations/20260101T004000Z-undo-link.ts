import { type Kysely, sql } from 'kysely'

/**
 * Links by which the owner of an account undoes a second factor. `since`: when the one that the link undoes was turned on; of
 * any other the link is void.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.undo_link (
    link_hash bytea primary key,
    member text not null,
    since timestamptz not null,
    expires_at timestamptz not null
  )`.execute(db)
  // Serves a new password, which makes the member's links void, and an erasure.
  await sql`create index undo_link_member on app.undo_link (member)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.undo_link`.execute(db)
}
