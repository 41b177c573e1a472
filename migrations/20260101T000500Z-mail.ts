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
  // The unique key lets a reactor meet the same event again.
  await sql`create table app.outbox (
    id bigint generated always as identity primary key,
    reactor text not null,
    event_id text not null,
    kind text not null,
    payload jsonb,
    attempts integer not null default 0,
    created_at timestamptz not null,
    due_at timestamptz not null,
    sent_at timestamptz,
    failed_at timestamptz,
    unique (reactor, event_id)
  )`.execute(db)
  // Serves the sender: what is due, oldest first.
  await sql`create index outbox_due on app.outbox (due_at, id) where sent_at is null and failed_at is null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.mailbox, app.outbox`.execute(db)
}
