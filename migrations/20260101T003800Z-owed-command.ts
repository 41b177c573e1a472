import { type Kysely, sql } from 'kysely'

/** What the log has yet to get about changes of rows: commands about an account, by their ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.owed_command (
    id text primary key,
    member text not null,
    what jsonb not null,
    at timestamptz not null,
    tries integer not null default 0,
    due_at timestamptz not null
  )`.execute(db)
  // Serves who looks for what is due.
  await sql`create index owed_command_due on app.owed_command (due_at)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.owed_command`.execute(db)
}
