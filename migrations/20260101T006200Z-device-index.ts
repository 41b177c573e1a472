import { type Kysely, sql } from 'kysely'

/** Before Google is asked about a browser it is looked up whether any account knows it; which one is not known yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index known_device_hash on app.known_device (device_hash)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index app.known_device_hash`.execute(db)
}
