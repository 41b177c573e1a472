import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { holdLock, type LockConnection } from '../postgres/lock-connection.ts'

const LOCK = 'job-worker'
const AGAIN_MS = 500
/** How often a worker is heard of, and how long an answer to it may take. */
export const BEAT_MS = 15_000
const ANSWER_MS = 10_000
/** A worker that is not heard of for so long is frozen, or away. */
const UNHEARD_MS = 60_000

export const ended = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

/** `ended`: resolves once nobody sees it as alive any more, after the signal. */
export type ShowAlive = { show(worker: string): Promise<void>; ended(): Promise<void> }

/** `beatMs` and `answerMs`: lower in tests. */
export type AliveOptions = {
  readonly database: pg.ClientConfig
  readonly beatMs?: number | undefined
  readonly answerMs?: number | undefined
}

/**
 * Shows to others that a worker is alive, by a lock over a connection of its own on which it is heard of now and then, and
 * that is made again when it is lost or silent; `show` resolves once they can see it. What they took up while it could not be
 * seen is done twice.
 */
export function createShowAlive(
  { database, beatMs = BEAT_MS, answerMs = ANSWER_MS }: AliveOptions,
  signal: AbortSignal,
): ShowAlive {
  let shown: Promise<void> | undefined
  let keeping: Promise<void> = Promise.resolve()
  async function keep(worker: string, onShown: () => void): Promise<void> {
    while (!signal.aborted) {
      const take = (client: pg.Client) => lockAs(worker, client)
      const locked = await holdLock(database, take, signal, answerMs).catch(() => null)
      if (locked) {
        onShown()
        await beat(locked, beatMs, signal)
        // Whoever frees the jobs of workers that are gone frees this one's at once.
        await locked.close()
      } else await wait(AGAIN_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return {
    show(worker) {
      shown ??= new Promise((resolve) => {
        keeping = keep(worker, resolve)
      })
      return shown
    },
    ended: () => keeping,
  }
}

async function lockAs(worker: string, client: pg.Client): Promise<void> {
  await client.query(`select set_config('application_name', $1, false)`, [LOCK])
  await client.query('select pg_advisory_lock_shared(hashtext($1), hashtext($2))', [LOCK, worker])
}

/** Is heard of until the connection is lost, gives no answer, or the signal ends. */
async function beat({ client, lost }: LockConnection, beatMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  void lost.then(end)
  while (!over.signal.aborted) {
    await wait(beatMs, undefined, { signal: over.signal }).catch(() => undefined)
    if (over.signal.aborted) break
    const answer = client.query('select').then(
      () => true,
      () => false,
    )
    const late = wait(Math.min(ANSWER_MS, beatMs), false, { signal: over.signal }).catch(() => false)
    if (!(await Promise.race([answer, late]))) end()
  }
  signal.removeEventListener('abort', end)
}

/**
 * Lets others take up the jobs of workers that are gone, or have not been heard of for long: the server ends their
 * connections. Those of the release before are not heard of, and have another name.
 */
export async function freeKilled(db: Pick<pg.ClientBase, 'query'>, unheardMs = UNHEARD_MS): Promise<void> {
  await db.query(
    `select pg_terminate_backend(a.pid, 1000) from pg_stat_activity a
     where a.datname = current_database() and a.application_name = $1
       and a.state_change < now() - $2 * interval '1 millisecond'`,
    [LOCK, unheardMs],
  )
  await db.query(
    `select job.force_unlock_workers(array(
       select locked_by from (select distinct locked_by from job.jobs where locked_by is not null) w
       where pg_try_advisory_xact_lock(hashtext($1), hashtext(locked_by))))`,
    [LOCK],
  )
}
