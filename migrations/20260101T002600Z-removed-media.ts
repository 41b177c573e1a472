import { type Kysely, sql } from 'kysely'

/** Whose a removed file was: the ids that others have seen, and nothing of what was on it (api-contract C44). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.removed_media (
    id text primary key,
    owner text not null,
    removed_at timestamptz not null
  )`.execute(db)
  // Serves the erasure of a member.
  await sql`create index removed_media_owner on app.removed_media (owner)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.removed_media`.execute(db)
}
