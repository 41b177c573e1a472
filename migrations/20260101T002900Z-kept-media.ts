import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Serves the sweep of files that a gallery named once and names no more.
  await sql`create index media_kept on app.media (attached_at)
    where attached_at is not null and original_id is null and purpose in ('photo', 'avatar', 'voice')`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index app.media_kept`.execute(db)
}
