import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'

const LOCK = 'job-worker'
const AGAIN_MS = 500

export const ended = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

/** `ended`: resolves once nobody sees it as alive any more, after the signal. */
export type ShowAlive = { show(worker: string): Promise<void>; ended(): Promise<void> }

/**
 * Shows to others that a worker is alive, by a lock over a connection of its own that is made again when it is lost;
 * resolves once they can see it. What they took up while it could not be seen is done twice.
 */
export function createShowAlive(pool: pg.Pool, signal: AbortSignal): ShowAlive {
  let shown: Promise<void> | undefined
  let keeping: Promise<void> = Promise.resolve()
  async function keep(worker: string, onShown: () => void): Promise<void> {
    while (!signal.aborted) {
      const client = await lockedAs(worker, pool)
      if (client) {
        onShown()
        await Promise.race([once(client, 'end'), ended(signal)]).catch(() => undefined)
        // Whoever frees the jobs of workers that are gone frees this one's at once.
        await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
        client.release(true)
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

/** A machine that is gone without a word is noticed by the server within a minute. */
async function lockedAs(worker: string, pool: pg.Pool): Promise<pg.PoolClient | null> {
  const client = await pool.connect().catch(() => null)
  try {
    await client?.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3')
    await client?.query('select pg_advisory_lock_shared(hashtext($1), hashtext($2))', [LOCK, worker])
    return client
  } catch {
    client?.release(true)
    return null
  }
}

/** Lets others take up the jobs of workers that are gone. */
export async function freeKilled(pool: pg.Pool): Promise<void> {
  await pool.query(
    `select job.force_unlock_workers(array(
       select locked_by from (select distinct locked_by from job.jobs where locked_by is not null) w
       where pg_try_advisory_xact_lock(hashtext($1), hashtext(locked_by))))`,
    [LOCK],
  )
}
