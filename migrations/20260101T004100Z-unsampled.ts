import { type Kysely, sql } from 'kysely'

/**
 * By table and type the columns of keys, seals, hashes of addresses and secrets, places, and words: samples that Postgres
 * takes to plan by would outlive their rows.
 */
const UNSAMPLED = [
  ['address', 'text', ['email_key']],
  ['barred_address', 'text', ['email_key']],
  ['code', 'text', ['email_key']],
  ['code', 'bytea', ['salt', 'code_hash', 'link_hash']],
  ['code_failure', 'text', ['email_key']],
  ['credential', 'text', ['email_key', 'password_hash', 'google_key']],
  ['idempotent_answer', 'bytea', ['id', 'request_hash', 'sealed']],
  ['kept_block', 'text', ['email_key']],
  ['kept_key', 'bytea', ['wrapped']],
  ['known_device', 'text', ['email_key']],
  ['known_device', 'bytea', ['device_hash']],
  ['login_guard', 'text', ['key']],
  ['mailbox', 'text', ['to', 'subject', 'text', 'html']],
  ['media', 'text', ['placeholder']],
  ['owed_command', 'jsonb', ['what']],
  ['position', 'bytea', ['sealed']],
  ['position', 'integer', ['cell_row', 'cell_col', 'next_row', 'next_col']],
  ['position', 'double precision', ['lat', 'lng', 'next_lat', 'next_lng']],
  ['projection', 'text', ['error']],
  ['quarantine', 'text', ['reason']],
  ['rate', 'varchar(255)', ['key']],
  ['reactor_effect', 'text', ['reason']],
  ['recovery_code', 'bytea', ['code_hash']],
  ['refused_minor', 'text', ['email_key']],
  ['second_factor', 'text', ['secret']],
  ['session', 'bytea', ['token_hash']],
  ['session', 'text', ['label']],
  ['sign_in_challenge', 'bytea', ['token_hash']],
  ['sign_in_challenge', 'text', ['password_hash']],
  ['signup_proof', 'bytea', ['token_hash', 'email', 'draft']],
  ['signup_proof', 'text', ['email_key', 'google_key']],
  ['spent_ticket', 'bytea', ['hash']],
  ['subject_key', 'bytea', ['wrapped']],
  ['undo_link', 'bytea', ['link_hash']],
] as const
const TABLES = [...new Set(UNSAMPLED.map(([table]) => `app.${table}`))]
/** A lock that did not come in time, and a deadlock. */
const TAKEN = ['55P03', '40P01']

/** Longer than Postgres takes to see a deadlock and to end what it does by itself in a table. */
const LOCK_TIMEOUT = '1500ms'
const TRIES = 200

/** All at once, and nobody waits long for them: a process of the release before may lock two in another order. */
async function lockTables(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`).execute(db)
  for (let attempt = 1; !(await lockedAll(db)); attempt++) {
    if (attempt === TRIES)
      throw new Error('The tables are in use. End what reads them for long, such as a backup, and start again.')
    await sql`select pg_sleep(0.4)`.execute(db)
  }
  await sql`set local lock_timeout to default`.execute(db)
}

async function lockedAll(db: Kysely<unknown>): Promise<boolean> {
  await sql`savepoint unlocked`.execute(db)
  try {
    await sql.raw(`lock table read.member_cell, ${TABLES.join()} in access exclusive mode`).execute(db)
    return true
  } catch (error) {
    if (!TAKEN.includes((error as { code?: string }).code ?? '')) throw error
    await sql`rollback to savepoint unlocked`.execute(db)
    return false
  }
}

/** A column that gets the type that it has is not written anew, and loses its samples. No view may show it meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await lockTables(db)
  await sql`drop view read.member_cell`.execute(db)
  for (const [table, type, names] of UNSAMPLED) {
    const changes = names.map((name) => `alter column "${name}" set statistics 0, alter column "${name}" type ${type}`)
    await sql.raw(`alter table app.${table} ${changes.join()}`).execute(db)
  }
  await sql`create view read.member_cell as
    select member, cell_row, cell_col, lat, lng from app.position`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const [table, , names] of UNSAMPLED.filter(([table]) => table !== 'mailbox')) {
    const changes = names.map((name) => `alter column "${name}" set statistics -1`)
    await sql.raw(`alter table app.${table} ${changes.join()}`).execute(db)
  }
}
