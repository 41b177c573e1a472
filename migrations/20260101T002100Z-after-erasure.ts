import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who had blocked the holder of an address when they were erased: its keyed hash, and nothing else about them.
  await sql`create table app.kept_block (
    email_key text not null,
    member text not null,
    expires_at timestamptz not null,
    primary key (email_key, member)
  )`.execute(db)
  // For the erasure of the member who blocked.
  await sql`create index kept_block_member on app.kept_block (member)`.execute(db)
  // Since when nothing is left to do for a destroyed key; a start looks at the others.
  await sql`alter table app.destroyed_key add column settled_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.destroyed_key drop column settled_at`.execute(db)
  await sql`drop table app.kept_block`.execute(db)
}
