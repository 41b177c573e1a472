import { type Kysely, sql } from 'kysely'

/**
 * What the log has yet to get about one account goes in the order of `number`. `refused`: how often the log
 * took it not although it was there. `given_up`: that was often enough, and nothing waits for it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table app.owed_command
    add column number bigint,
    add column refused integer not null default 0,
    add column given_up boolean not null default false`.execute(db)
  await sql`update app.owed_command o set number = n.number
    from (select id, row_number() over (order by at, id) as number from app.owed_command) n
    where n.id = o.id`.execute(db)
  await sql`alter table app.owed_command
    alter column number set not null,
    alter column number add generated always as identity`.execute(db)
  await sql`select setval(pg_get_serial_sequence('app.owed_command', 'number'), count(*) + 1, false)
    from app.owed_command`.execute(db)
  // Serves who looks for what is older.
  await sql`create index owed_command_member on app.owed_command (member, number)`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop index app.owed_command_member`.execute(db)
  await sql`alter table app.owed_command drop column given_up, drop column refused, drop column number`.execute(db)
}
