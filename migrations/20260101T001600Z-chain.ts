import { type Kysely, sql } from 'kysely'

/** Heads of the hash chain over the log; in the order of `seq` they are read whole, and `seq` finds the newest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table app.chain_segment (
    seq bigint primary key,
    after bigint not null,
    last bigint not null,
    events integer not null,
    day text collate "C" not null,
    prev bytea not null,
    content bytea not null,
    listing bytea not null,
    head bytea not null,
    mac bytea not null,
    packed bytea not null,
    sealed_at timestamptz not null default now()
  )`.execute(db)
  // Packed by the product already.
  await sql`alter table app.chain_segment alter column packed set storage external`.execute(db)
  // Which days are over and unsigned.
  await sql`create index chain_segment_day on app.chain_segment (day, seq)`.execute(db)
  await sql`create table app.chain_day (
    day text collate "C" primary key,
    seq bigint not null,
    last bigint not null,
    events bigint not null,
    head bytea not null,
    signature bytea not null
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.chain_day, app.chain_segment`.execute(db)
}
