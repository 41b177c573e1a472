import { type Kysely, sql } from 'kysely'

const COLUMNS = ['to', 'subject', 'text', 'html']
const sampled = (target: number) =>
  sql.raw(`alter table app.mailbox ${COLUMNS.map((name) => `alter column "${name}" set statistics ${target}`).join()}`)

/** Samples that Postgres takes of mail would outlive the mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sampled(0).execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sampled(-1).execute(db)
}
