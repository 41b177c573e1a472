import { type Kysely, sql } from 'kysely'

/**
 * Smaller files of a picture, and of its blurred twin: `side` is in pixels of the shorter side, `file` the name in the store,
 * which no address leads to. An upload owes its forms until `forms` shows otherwise; so do those that were there before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.media_form (
    file text primary key,
    media text not null references app.media (id) on delete cascade,
    side integer not null,
    mime text not null,
    bytes bigint not null,
    unique (media, side, mime)
  )`.execute(db)
  await sql`alter table app.media
    add forms text not null default 'owed' check (forms in ('owed', 'made', 'given-up')),
    add forms_tries smallint not null default 0,
    add forms_due_at timestamptz`.execute(db)
  // Serves the job that makes forms, and counts what it has left.
  await sql`create index media_forms_owed on app.media (created_at)
    where forms = 'owed' and original_id is null and deleted_at is null
      and kind <> 'audio' and purpose not like 'kyc-%'`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.media_form`.execute(db)
  await sql`alter table app.media drop forms, drop forms_tries, drop forms_due_at`.execute(db)
}
