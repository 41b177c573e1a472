import pg from 'pg'
import { createJobWorker } from '../../../reactors/work-jobs.ts'
import { jobStatement, type When } from '../../../services/jobs/add-job.ts'
import type { PayloadOf } from '../../../services/jobs/kinds.ts'
import type { JobHandlers, JobWorkerDeps } from '../../../services/jobs/worker.ts'
import { createLogger } from '../../../services/log.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { KINDS } from './kinds.ts'

export type Handlers = JobHandlers<typeof KINDS>

/** A database of its own, and workers on its jobs, each over connections of its own as a process has. */
export async function startJobRig() {
  const database = await freshDatabase({ template: appTemplate })
  const pool = quiet(new pg.Pool({ ...database.config, max: 4 }))
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({ destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  const ends: (() => Promise<unknown>)[] = []

  return {
    ...database,
    pool,
    lines,
    /** Another process, as it were. */
    work(handlers: Partial<Handlers>, given: Partial<JobWorkerDeps<typeof KINDS>> = {}) {
      const all = { count: async () => null, sweep: async () => null, ...handlers }
      const { config } = database
      const defaults = { database: config, kinds: KINDS, recurring: {}, logger, pollMs: 50 }
      const worker = createJobWorker({ ...defaults, handlers: all, ...given })
      worker.start()
      ends.push(worker.stop)
      return worker
    },
    add<Kind extends keyof typeof KINDS>(kind: Kind, payload: PayloadOf<typeof KINDS, Kind>, when?: When) {
      const { text, values } = jobStatement(KINDS, kind, payload, when)
      return pool.query(text, values)
    },
    jobs: async () =>
      (await pool.query('select *, extract(epoch from run_at - now())::float8 as in_s from job.jobs order by id')).rows,
    async stop() {
      await Promise.all(ends.map((end) => end()))
      await pool.end()
      await database.drop()
    },
  }
}
export type JobRig = Awaited<ReturnType<typeof startJobRig>>
