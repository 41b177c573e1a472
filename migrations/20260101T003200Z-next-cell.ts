import { type Kysely, sql } from 'kysely'

/** The cell that a member is published in next, and when; null while none waits. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.position
    add column next_row integer,
    add column next_col integer,
    add column next_lat double precision,
    add column next_lng double precision,
    add column next_at timestamptz,
    add constraint position_next check (
      num_nulls(next_row, next_col, next_lat, next_lng, next_at) in (0, 5)
    )`.execute(db)
  // Serves the publication of cells that are due.
  await sql`create index position_next_at on app.position (next_at) where next_at is not null`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.position
    drop column next_row, drop column next_col, drop column next_lat, drop column next_lng, drop column next_at`.execute(
    db,
  )
}
