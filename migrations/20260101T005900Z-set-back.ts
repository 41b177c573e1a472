import { type Kysely, sql } from 'kysely'

/** The latest set-back that was noted of each log: `id` tells sockets of before it from those of after it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.set_back (log_id text primary key, id text not null, noted_at timestamptz not null)`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.set_back`.execute(db)
}
