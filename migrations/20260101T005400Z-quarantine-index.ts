import { type Kysely, sql } from 'kysely'

/** Each batch of a key in quarantine asks whether it still is, however many events wait there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index quarantine_key on app.quarantine (name, version, generation, key)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index app.quarantine_key`.execute(db)
}
