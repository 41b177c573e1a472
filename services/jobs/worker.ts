import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type CronItem, type JobHelpers, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { errorFields, type Logger } from '../log.ts'
import { enginePool, KEPT_MS, LOOK_UP_SILENT_MS, shortPool } from '../quiet-pool.ts'
import { endJob, keyOf, queueOf } from './add-job.ts'
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
  /** It is worked on over connections of its own. */
  readonly database: pg.PoolConfig
  readonly kinds: K
  readonly handlers: JobHandlers<K>
  /** By kind when it recurs, as a line of cron; all processes together add one job. */
  readonly recurring: Readonly<Partial<Record<keyof K & string, string>>>
  /**
   * The group of a job that may take minutes; null for a short one. In each process long jobs leave a place to short ones, and
   * those of one group leave another to the other groups.
   */
  readonly long?: (kind: keyof K & string, ids: Readonly<Record<string, string>>) => string | null
  /** Before it looks for jobs. */
  readonly begin?: (db: Pick<pg.ClientBase, 'query'>) => Promise<unknown>
  readonly logger: Logger
  /** How long a job that waited may come late. One that is due at once is announced. */
  readonly pollMs?: number
  /** How often it shows that it is alive, and how long a question may be without an answer. */
  readonly beatMs?: number
  readonly silentMs?: number
}

const AT_ONCE = 4
/** Jobs that take long leave a place to short ones, and those of one group leave another to the other groups. */
const LONG_AT_ONCE = AT_ONCE - 1
const LONG_OF_A_GROUP = LONG_AT_ONCE - 1
/** The library notes ends in batches, for then alone one that fails stops the worker in good order, and ends no process. */
const ENDINGS = { completeJobBatchDelay: 0, failJobBatchDelay: 0 }
/** With so many at once less than a query a second. */
const POLL_MS = 5_500
/** So long one that takes long waits for a place, if no other process has one. */
const BUSY_MS = 2_000
/** At least so long after another of its group: a thousand that wait cost a few transactions a second. */
const SPACED_MS = 250
/** One that listens, and one to spare. */
const CONNECTIONS = AT_ONCE + 2
const CONNECT_MS = 10_000
const CLOSED_MS = 1_000

/** Others took it up, for it seemed that this worker was gone. */
class JobLost extends Error {
  override name = 'JobLost'
}

/** Works until the signal ends, or throws where the database is away. `gotOn` is called once it looks for jobs. */
export async function workOnJobs<K extends Kinds>(
  deps: JobWorkerDeps<K>,
  signal: AbortSignal,
  gotOn: () => void = () => undefined,
): Promise<void> {
  const pool = poolOf(deps)
  const over = new AbortController()
  const alive = createShowAlive(deps, over.signal)
  try {
    await beginOn(deps)
    await runUntil(pool, deps, alive, signal, gotOn)
  } finally {
    over.abort()
    await alive.ended()
    await letGo(pool)
  }
}

/** A silent connection does not close. */
const letGo = (pool: pg.Pool) => Promise.race([pool.end(), wait(CLOSED_MS, undefined, { ref: false })])

/** Of connections that end where nothing is heard over them: what the library asks is short. */
const poolOf = <K extends Kinds>({ database, silentMs = LOOK_UP_SILENT_MS }: JobWorkerDeps<K>): pg.Pool =>
  shortPool({ ...database, max: CONNECTIONS, connectionTimeoutMillis: silentMs, idleTimeoutMillis: KEPT_MS }, silentMs)

/** What comes before the first job takes as long as it takes: it goes over many rows after a restore. */
async function beginOn<K extends Kinds>({ database, begin, silentMs }: JobWorkerDeps<K>): Promise<void> {
  const pool = enginePool({ ...database, max: 1, connectionTimeoutMillis: silentMs ?? CONNECT_MS }, silentMs, silentMs)
  const work = async (db: pg.PoolClient) => {
    await freeKilled(db)
    await begin?.(db)
  }
  try {
    const db = await pool.connect()
    await work(db).finally(() => db.release(true))
  } finally {
    await letGo(pool)
  }
}

async function runUntil<K extends Kinds>(
  pool: pg.Pool,
  deps: JobWorkerDeps<K>,
  alive: ShowAlive,
  signal: AbortSignal,
  gotOn: () => void,
): Promise<void> {
  const events: WorkerEvents = new EventEmitter()
  const broken = brokenBy(events)
  const runner = await run({
    pgPool: pool,
    schema: SCHEMA,
    logger: silent,
    noHandleSignals: true,
    events,
    preset: { worker: ENDINGS, plugins: [aliveBeforeJobs(alive)] },
    concurrency: AT_ONCE,
    pollInterval: deps.pollMs ?? POLL_MS,
    taskList: tasksOf(pool, deps, signal),
    parsedCronItems: parseCronItems(cronOf(deps.recurring)),
  })
  runner.promise.catch(() => undefined)
  gotOn()
  try {
    await Promise.race([runner.promise, broken, ended(signal)])
  } finally {
    await runner.stop().catch(() => undefined)
    // One that stops by itself has jobs under way still.
    await runner.promise.catch(() => undefined)
  }
}

/** Rejects where the library stops, or where its first look failed: it keeps that very error, and never finds a job. */
function brokenBy(events: WorkerEvents): Promise<never> {
  let last: unknown
  const broken = new Promise<never>((_, reject) => {
    events.on('pool:fatalError', ({ error }) => reject(error))
    events.on('worker:getJob:error', ({ error }) => {
      if (error === last) reject(error)
      last = error
    })
  })
  broken.catch(() => undefined)
  return broken
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

function tasksOf<K extends Kinds>(
  pool: pg.Pool,
  { kinds, handlers, logger, long = () => null }: JobWorkerDeps<K>,
  signal: AbortSignal,
): TaskList {
  const places = createPlaces()
  const task =
    (kind: keyof K & string) =>
    async (stored: unknown, { job }: JobHelpers) => {
      try {
        // A recurring one brings when it was added.
        const { _cron, ...ids } = stored as Record<string, unknown>
        const payload = kinds[kind]!.parse(ids) as PayloadOf<K, typeof kind>
        const inMs = await places(long(kind, payload), () => handlers[kind](payload, signal))
        if (!(await endJob(pool, job, { kinds, kind, payload, inMs }))) throw new JobLost('others took it up')
      } catch (error) {
        throw reported(kind, job, error, logger)
      }
    }
  return Object.fromEntries(Object.keys(kinds).map((kind) => [kind, task(kind)]))
}

/** Does one that takes long where that leaves a place to the others; has it come again soon where it does not. */
function createPlaces() {
  const taken: string[] = []
  const waitFor = waitsByGroup()
  const isRoomFor = (group: string) =>
    taken.length < LONG_AT_ONCE && taken.filter((one) => one === group).length < LONG_OF_A_GROUP
  return async (group: string | null, work: () => Promise<number | null>): Promise<number | null> => {
    if (group === null) return work()
    if (!isRoomFor(group)) return waitFor(group)
    taken.push(group)
    try {
      return await work()
    } finally {
      taken.splice(taken.indexOf(group), 1)
    }
  }
}

/** In how many milliseconds one without a place is to come again. */
function waitsByGroup() {
  const last = new Map<string, number>()
  return (group: string): number => {
    const now = performance.now()
    const at = Math.max(now + BUSY_MS, (last.get(group) ?? 0) + SPACED_MS)
    last.set(group, at)
    return at - now
  }
}

/** What is stored of it: its class alone, because its message may contain what a member typed. */
function reported(name: string, job: JobHelpers['job'], error: unknown, logger: Logger): Error {
  const fields = { kind: 'job', name, count: job.attempts, ...errorFields(error) }
  if (error instanceof JobLost) logger.warn('A job was taken up by others before it ended here.', fields)
  else if (job.attempts < job.max_attempts) logger.warn('A job failed and is tried again.', fields)
  else logger.error('A job is given up.', fields)
  return new Error(fields.errorName)
}
