import { type CronItem, type JobHelpers, parseCronItems, run, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import { errorFields, type Logger } from '../log.ts'
import { jobStatement, keyOf, queueOf } from './add-job.ts'
import { SCHEMA, silent } from './job-schema.ts'
import { createShowAlive, ended, freeKilled, type ShowAlive } from './killed.ts'
import type { Kinds, PayloadOf } from './kinds.ts'

/**
 * Does what is due, and answers in how many milliseconds the same job is to come again, or null. One that throws comes
 * again as well, each time later. `signal` ends when the worker is to stop.
 */
export type JobHandler<Payload> = (payload: Payload, signal: AbortSignal) => Promise<number | null>
export type JobHandlers<K extends Kinds> = { readonly [Kind in keyof K]: JobHandler<PayloadOf<K, Kind>> }

export type JobWorkerDeps<K extends Kinds> = {
  readonly pool: pg.Pool
  readonly kinds: K
  readonly handlers: JobHandlers<K>
  /** By kind when it recurs, as a line of cron; all processes together add one job. */
  readonly recurring: Readonly<Partial<Record<keyof K & string, string>>>
  /** Before it looks for jobs. */
  readonly begin?: () => Promise<unknown>
  readonly logger: Logger
  /** How long a job that waited may come late. One that is due at once is announced. */
  readonly pollMs?: number
}

const AT_ONCE = 3
/** The library notes ends in batches, for then alone one that a lost connection delays is tried again and ends no process. */
const ENDINGS = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }
/** With so many at once less than a query a second. */
const POLL_MS = 4_000

/** Works until the signal ends, or throws where the database is away. `gotOn` is called once it looks for jobs. */
export async function workOnJobs<K extends Kinds>(
  deps: JobWorkerDeps<K>,
  signal: AbortSignal,
  gotOn: () => void = () => undefined,
): Promise<void> {
  const { pool, pollMs = POLL_MS } = deps
  const over = new AbortController()
  const alive = createShowAlive(pool, over.signal)
  try {
    await freeKilled(pool)
    await deps.begin?.()
    const runner = await run({
      pgPool: pool,
      schema: SCHEMA,
      logger: silent,
      noHandleSignals: true,
      preset: { worker: ENDINGS, plugins: [aliveBeforeJobs(alive)] },
      concurrency: AT_ONCE,
      pollInterval: pollMs,
      taskList: tasksOf(deps, signal),
      parsedCronItems: parseCronItems(cronOf(deps.recurring)),
    })
    runner.promise.catch(() => undefined)
    gotOn()
    await Promise.race([runner.promise, ended(signal)]).finally(() => runner.stop().catch(() => undefined))
  } finally {
    over.abort()
    await alive.ended()
  }
}

/** No job is taken before others can see that its worker is alive. */
const aliveBeforeJobs = ({ show }: ShowAlive): GraphileConfig.Plugin => ({
  name: 'alive-before-jobs',
  version: '1.0.0',
  worker: { hooks: { startWorker: (_, { worker }) => show(worker.workerPool.id) } },
})

const cronOf = (recurring: Readonly<Partial<Record<string, string>>>): CronItem[] =>
  Object.entries(recurring).map(([task, match]) => {
    const queueName = queueOf(task)
    return { task, match: match!, options: { jobKey: keyOf(task, {}), ...(queueName && { queueName }) } }
  })

function tasksOf<K extends Kinds>({ pool, kinds, handlers, logger }: JobWorkerDeps<K>, signal: AbortSignal): TaskList {
  const task = (kind: keyof K & string) => async (stored: unknown, helpers: JobHelpers) => {
    try {
      // A recurring one brings when it was added.
      const { _cron, ...ids } = stored as Record<string, unknown>
      const payload = kinds[kind]!.parse(ids) as PayloadOf<K, typeof kind>
      const inMs = await handlers[kind](payload, signal)
      if (inMs === null) return
      const { text, values } = jobStatement(kinds, kind, payload, { inMs: Math.max(0, inMs), orSooner: true })
      await pool.query(text, values)
    } catch (error) {
      throw reported(kind, helpers.job, error, logger)
    }
  }
  return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, task(kind)]))
}

/** What is stored of it: its class alone, because its message may contain what a member typed. */
function reported(name: string, job: JobHelpers['job'], error: unknown, logger: Logger): Error {
  const fields = { kind: 'job', name, count: job.attempts, ...errorFields(error) }
  if (job.attempts < job.max_attempts) logger.warn('A job failed and is tried again.', fields)
  else logger.error('A job is given up.', fields)
  return new Error(fields.errorName)
}
