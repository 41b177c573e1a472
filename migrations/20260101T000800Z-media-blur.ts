import { type Kysely, sql } from 'kysely'

/** What cards and locked profiles show of a picture: the id of its blurred derivative, and no more of its file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create view read.media_blur as
    select id as original, blurred_id as blurred from app.media
    where blurred_id is not null and deleted_at is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop view read.media_blur`.execute(db)
}
