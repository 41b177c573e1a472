import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The cell stays when the sealed position expires: Discover keeps using it.
  await sql`create table app.position (
    member text collate "C" primary key,
    cell_row integer not null,
    cell_col integer not null,
    lat double precision not null,
    lng double precision not null,
    sealed bytea,
    accepted_at timestamptz not null,
    previous_at timestamptz,
    expires_at timestamptz
  )`.execute(db)
  // Serves Discover: members by the cell they are in.
  await sql`create index position_cell on app.position (cell_row, cell_col) include (member, lat, lng)`.execute(db)
  // Serves the sweep of raw positions past their day.
  await sql`create index position_expiry on app.position (expires_at) where sealed is not null`.execute(db)
  await sql`create view read.member_cell as
    select member, cell_row, cell_col, lat, lng from app.position`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop view read.member_cell`.execute(db)
  await sql`drop table app.position`.execute(db)
}
