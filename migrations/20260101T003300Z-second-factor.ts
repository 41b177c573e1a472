import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // `secret` is sealed by the member's key. `last_step`: the newest step whose code was used.
  await sql`create table app.second_factor (
    member text primary key,
    secret text not null,
    last_step integer not null,
    started_at timestamptz not null,
    confirmed_at timestamptz
  )`.execute(db)
  await sql`create table app.recovery_code (
    member text not null,
    code_hash bytea not null,
    primary key (member, code_hash)
  )`.execute(db)
  await sql`create table app.sign_in_challenge (
    token_hash bytea primary key,
    member text not null,
    password_hash text,
    remember boolean not null,
    tries integer not null default 0,
    expires_at timestamptz not null
  )`.execute(db)
  // Serves an erasure, which removes what is a member's own.
  await sql`create index sign_in_challenge_member on app.sign_in_challenge (member)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.second_factor, app.recovery_code, app.sign_in_challenge`.execute(db)
}
