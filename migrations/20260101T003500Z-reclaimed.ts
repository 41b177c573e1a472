import { type Kysely, sql } from 'kysely'

/** Up to which erasure the space that rows left was cleared: in the files written ahead, and in those of tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.reclaimed (
    what text primary key,
    up_to timestamptz not null,
    done_at timestamptz not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.reclaimed`.execute(db)
}
