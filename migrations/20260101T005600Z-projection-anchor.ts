import { type Kysely, sql } from 'kysely'

/** Nobody waits long behind it: whoever reads the table for long, such as a backup, would keep all others from it. */
async function lockTable(db: Kysely<unknown>): Promise<void> {
  await sql`set local lock_timeout = '1500ms'`.execute(db)
  await sql`do $$ begin
    for attempt in 1..200 loop
      begin
        lock table app.projection_checkpoint in access exclusive mode;
        return;
      exception when lock_not_available or deadlock_detected then
        perform pg_sleep(0.4);
      end;
    end loop;
    raise exception 'app.projection_checkpoint is in use. End what reads it for long, such as a backup, and start again.';
  end $$`.execute(db)
  await sql`set local lock_timeout to default`.execute(db)
}

/** The last event that a read model knows of the log; the release before leaves an earlier one there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await lockTable(db)
  await sql`alter table app.projection_checkpoint add column anchor jsonb`.execute(db)
  await sql`alter table app.projection_checkpoint alter column anchor set statistics 0`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await lockTable(db)
  await sql`alter table app.projection_checkpoint drop column anchor`.execute(db)
}
