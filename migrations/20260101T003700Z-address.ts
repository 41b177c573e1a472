import { type Kysely, sql } from 'kysely'

/**
 * The id of each e-mail address in use, by which the log knows it. An address from before there were ids gets its own when
 * it is first looked up: the log says which of them are in use, and no table names all of those.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.address (
    email_key text primary key,
    id text not null unique
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.address`.execute(db)
}
