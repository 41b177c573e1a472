import { keepRunning } from '../eventstore/retry.ts'
import type { Kinds } from '../services/jobs/kinds.ts'
import { type JobWorkerDeps, workOnJobs } from '../services/jobs/worker.ts'
import { errorFields } from '../services/log.ts'

export type JobWorker = { start(): void; stop(): Promise<void> }

/** Works on jobs until it is stopped, again once the database is back; `stop` waits for those under way. */
export function createJobWorker<K extends Kinds>(deps: JobWorkerDeps<K>): JobWorker {
  const stopped = new AbortController()
  const { signal } = stopped
  let running: Promise<void> = Promise.resolve()
  return {
    start() {
      running = keepRunning(
        signal,
        (gotOn) => workOnJobs(deps, signal, gotOn),
        (error) => deps.logger.warn('Jobs wait for their database.', { kind: 'job', ...errorFields(error) }),
      )
    },
    async stop() {
      stopped.abort()
      await running
    },
  }
}
