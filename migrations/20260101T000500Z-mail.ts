import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.mailbox (
    id bigint generated always as identity primary key,
    "to" text not null,
    subject text not null,
    text text not null,
    html text not null,
    at timestamptz not null
  )`.execute(db)
  // Serves the mailbox of one address, newest first.
  await sql`create index mailbox_to on app.mailbox ("to", id desc)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.mailbox`.execute(db)
}
