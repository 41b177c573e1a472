import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The unique key serves sign-in, by address.
  await sql`create table app.credential (
    member text primary key,
    email_key text not null unique,
    password_hash text,
    password_set_at timestamptz,
    created_at timestamptz not null
  )`.execute(db)
  // The unique hash serves every request that brings a session.
  await sql`create table app.session (
    id text primary key,
    token_hash bytea not null unique,
    member text not null,
    remember boolean not null,
    label text not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    auth_at timestamptz not null
  )`.execute(db)
  // Serves the list of a member's sessions and signing out everywhere.
  await sql`create index session_member on app.session (member)`.execute(db)
  await sql`create table app.known_device (
    email_key text not null,
    device_hash bytea not null,
    seen_at timestamptz not null,
    primary key (email_key, device_hash)
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.credential, app.session, app.known_device`.execute(db)
}
