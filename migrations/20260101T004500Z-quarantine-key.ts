import { type Kysely, sql } from 'kysely'

/** Events of one member or pair belong together, whichever of their streams they are in: the id that ends their names is the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update app.quarantine set key = substr(stream, strpos(stream, '-') + 1)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`update app.quarantine set key = stream`.execute(db)
}
