import { type Kysely, sql } from 'kysely'

/** Copies that members asked for of their own data; the bytes are files beside the media. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.data_export (
    id text primary key,
    member text not null,
    state text not null check (state in ('preparing', 'ready', 'failed')),
    asked_at timestamptz not null,
    done integer not null default 0,
    total integer not null default 0,
    tries integer not null default 0,
    due_at timestamptz not null,
    bytes bigint,
    ready_at timestamptz,
    expires_at timestamptz,
    mail_owed boolean not null default false
  )`.execute(db)
  // Serves the page of a member, and lets one copy at a time be prepared.
  await sql`create index data_export_member on app.data_export (member)`.execute(db)
  await sql`create unique index data_export_preparing on app.data_export (member) where state = 'preparing'`.execute(db)
  // Serves the search for work that is due.
  await sql`create index data_export_due on app.data_export (due_at) where state = 'preparing' or mail_owed`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.data_export`.execute(db)
}
