import { type Kysely, sql } from 'kysely'

/** Socket tickets that were used, until they are too old to be used again. Of no member: a hash of random text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.spent_ticket (
    hash bytea primary key,
    expires_at timestamptz not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.spent_ticket`.execute(db)
}
