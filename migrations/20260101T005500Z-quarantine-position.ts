import { type Kysely, sql } from 'kysely'

/**
 * A retry takes what waits of a key part by part, in the order of the log, and looks behind what it knows for what goes ahead; each
 * batch of a key in quarantine asks whether it still is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index quarantine_key_position on app.quarantine (name, version, generation, key, position)`.execute(
    db,
  )
  await sql`drop index app.quarantine_key`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`create index quarantine_key on app.quarantine (name, version, generation, key)`.execute(db)
  await sql`drop index app.quarantine_key_position`.execute(db)
}
