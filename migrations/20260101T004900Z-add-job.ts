import { type Kysely, sql } from 'kysely'

/**
 * Adds a job that may replace the one that waits. The library adds none where that one is taken between its two statements:
 * by then its row is locked by this transaction, so that a second time finds it taken, and adds another beside it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function app.add_job(kind text, ids json, queue text, run_at timestamptz, key text) returns void
    language plpgsql as $$
    begin
      for attempt in 1..3 loop
        perform from job.add_job(kind, ids, queue_name := queue, run_at := add_job.run_at, job_key := key) added
          where added.id is not null;
        if found then return; end if;
      end loop;
      raise exception 'The job % is not added.', key;
    end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function app.add_job`.execute(db)
}
