import { type Kysely, sql } from 'kysely'

/**
 * `add_job` adds a job, or replaces the one of that key that waits. The library adds none where that one is taken between its
 * two statements. `or_sooner`: one that waits, and comes sooner, keeps its time.
 *
 * `end_job` removes a job that its worker has done, and frees its queue. False, and nothing is done, where it is no longer that
 * worker's: others may be at it again. Only as precise as a JavaScript date is when it was taken.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function app.add_job(
      kind text, ids json, queue text, run_at timestamptz, key text, or_sooner boolean default false)
    returns void language plpgsql as $$
    declare
      waiting timestamptz;
    begin
      for attempt in 1..3 loop
        -- From now on no worker takes it.
        select j.run_at into waiting from job._private_jobs j where j.key = add_job.key and j.locked_at is null for update;
        perform from job.add_job(add_job.kind, add_job.ids, queue_name := add_job.queue, job_key := add_job.key,
            run_at := case when or_sooner then least(add_job.run_at, waiting) else add_job.run_at end) added
          where added.id is not null;
        if found then return; end if;
      end loop;
      raise exception 'The job % is not added.', add_job.key;
    end $$`.execute(db)
  await sql`create function app.end_job(job bigint, worker text, taken timestamptz) returns boolean language plpgsql as $$
    declare
      queue integer;
    begin
      delete from job._private_jobs j
        where j.id = end_job.job and j.locked_by = end_job.worker
          and j.locked_at between taken - interval '2 milliseconds' and taken + interval '2 milliseconds'
        returning j.job_queue_id into queue;
      if not found then return false; end if;
      update job._private_job_queues q set locked_at = null, locked_by = null
        where q.id = queue and q.locked_by = end_job.worker;
      return true;
    end $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function app.end_job, app.add_job`.execute(db)
}
