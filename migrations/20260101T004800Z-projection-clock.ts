import { type Kysely, sql } from 'kysely'

/** The time of events that a read model's rows have come to: those whose own time it has passed are no rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.projection add column clock timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.projection drop column clock`.execute(db)
}
