import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The unique hash serves the link in the mail.
  await sql`create table app.code (
    purpose text not null,
    email_key text not null,
    salt bytea not null,
    code_hash bytea not null,
    link_hash bytea not null unique,
    tries integer not null default 0,
    issued_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (purpose, email_key)
  )`.execute(db)
  await sql`create table app.code_failure (
    email_key text primary key,
    failures integer not null,
    last_at timestamptz not null
  )`.execute(db)
  // The unique hash serves every page of the wizard.
  await sql`create table app.signup_proof (
    id text primary key,
    token_hash bytea not null unique,
    email_key text not null,
    email bytea not null,
    draft bytea,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    spent_by text,
    completed_at timestamptz
  )`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop table app.code, app.code_failure, app.signup_proof`.execute(db)
}
