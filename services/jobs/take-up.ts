import type pg from 'pg'
import { queueOf } from './add-job.ts'
import type { JobKind } from './kinds.ts'

const add = (kind: string, field: string, id: string) =>
  `select job.add_job('${kind}', json_build_object('${field}', ${id}), queue_name := $1,
     job_key := '${kind}:' || ${id}, job_key_mode := 'unsafe_dedupe')`

/** By kind the rows that are owed something. */
const OWED = {
  export: `${add('export', 'export', 'id')} from app.data_export where state = 'preparing' or mail_owed`,
  'send-owed': `${add('send-owed', 'command', 'id')} from app.owed_command where not given_up`,
  react: `${add('react', 'reactor', 'reactor')}
    from (select distinct reactor from app.reactor_effect where state = 'owed') r`,
  derive: `select job.add_job('derive', '{}'::json, queue_name := $1, job_key := 'derive', job_key_mode := 'unsafe_dedupe')
    where exists (select from app.media where forms = 'owed' and original_id is null and deleted_at is null
      and kind <> 'audio' and purpose not like 'kyc-%')`,
} as const satisfies Partial<Record<JobKind, string>>

/**
 * Adds the jobs that rows lack: those of a restored backup, which has no jobs; of the release before, which adds none; and
 * of jobs that were given up. Answers how many of those there were.
 */
export async function takeUp(db: Pick<pg.ClientBase, 'query'>): Promise<number> {
  const { rowCount } = await db.query(
    `select job.complete_jobs(array(select id from job.jobs where attempts >= max_attempts and locked_at is null))`,
  )
  for (const [kind, text] of Object.entries(OWED)) await db.query(text, [queueOf(kind)])
  return rowCount ?? 0
}
