import type pg from 'pg'
import { backOff } from '../eventstore/retry.ts'
import { holdLock, type LockConnection, type Locked, whileLocked } from '../services/postgres/lock-connection.ts'
import { INTERRUPTED, isHalfRestored } from './tools/backup/half-restored.ts'

const LOCK_NAME = 'product-process'
/** A question that takes no work is answered by then. */
export const ANSWER_MS = 10_000

/** A restore replaces what is in the database, did so by half, or has done so under a process that was cut off. */
export class BeingRestored extends Error {
  override name = 'BeingRestored'
}

export type ProcessLock = {
  /**
   * Notes whose rows these are, where there were none before: from now on a restore of them is noticed. Throws where the
   * database keeps silent.
   */
  look(): Promise<void>
  release(): Promise<void>
}

/** `onRestore`: the connection was lost, and a restore is at work now or ended meanwhile. The lock does not come back. */
export type ProcessLockOptions = {
  readonly onRestore?: (error: BeingRestored) => void
  /** The connection was lost, and a first attempt at another one failed: until one succeeds a restore could begin. */
  readonly onAway?: (error: unknown) => void
  /** What others see of this process in `listProcesses`; at most 63 characters. */
  readonly name?: string
}

/**
 * The lock that every process of the product shares for as long as it lives, whatever its roles, so that a restore finds it
 * on any machine. It belongs to a connection of its own; one that is lost is made again, and the lock with it. Throws
 * `BeingRestored` while a restore has the lock, and after one that was interrupted.
 */
export async function shareProcessLock(
  database: pg.ClientConfig,
  { onRestore = () => undefined, onAway = () => undefined, name = '' }: ProcessLockOptions = {},
): Promise<ProcessLock> {
  const released = new AbortController()
  const { signal } = released
  let rows: Rows = null
  const take = async (client: pg.Client) => {
    await client.query(`select set_config('application_name', $1, false)`, [name])
    rows = await takeAgain(client, rows)
  }
  let locked = await holdLock(database, take)

  async function lockAgain(): Promise<LockConnection | null> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        return await holdLock(database, take, signal)
      } catch (error) {
        if (error instanceof BeingRestored) {
          onRestore(error)
          return null
        }
        if (attempt === 0) onAway(error)
      }
      await backOff(attempt, signal)
    }
    return null
  }

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      await locked.lost
      const again = await lockAgain()
      if (!again) return
      locked = again
    }
    await locked.close()
  }

  const keeping = keep()
  return {
    async look() {
      // A connection that is lost meanwhile is made again, and looks by itself.
      const there = await answered(rowsThere(locked.client).catch(() => null))
      rows ??= there
    },
    async release() {
      released.abort()
      await locked.close()
      await keeping
    },
  }
}

/** The names of those that share the lock on this database, on whichever machine; a backup under way has none. */
export async function listProcesses(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and a.datname = current_database()
       and (l.classid::bigint << 32 | l.objid::bigint) = hashtext($1)`,
    [LOCK_NAME],
  )
  return rows.map((row) => row.name)
}

/** Runs `work` while no process of the product is there, and none can start. Throws where one is. */
export function withoutProcesses<T>(database: pg.ClientConfig, work: (locked: Locked) => Promise<T>): Promise<T> {
  return whileLocked(database, takeAlone, work)
}

/** Runs `work` while no restore can begin. Throws `BeingRestored` where one is at work, or was interrupted. */
export function withoutRestore<T>(database: pg.ClientConfig, work: (locked: Locked) => Promise<T>): Promise<T> {
  return whileLocked(database, takeShared, work)
}

/** Throws `BeingRestored` where a restore is at work, or was interrupted, before a start goes on to what it would wait for. */
export const refuseWhileRestoring = (database: pg.ClientConfig): Promise<void> =>
  withoutRestore(database, async () => undefined)

async function takeShared(client: pg.Client): Promise<void> {
  if (!(await tryLock(client, 'shared')))
    throw new BeingRestored('This database is being restored. Start again once the restore has ended.')
  if (await isHalfRestored(client)) throw new BeingRestored(INTERRUPTED)
}

/** Which rows are served: the number of their schema, which a restore makes anew; null before the first start. */
type Rows = string | null

/** Throws where other rows than those `known` are there: what the process remembers of them is no longer true. */
async function takeAgain(client: pg.Client, known: Rows): Promise<Rows> {
  await takeShared(client)
  const oid = await rowsThere(client)
  if (known && oid !== known)
    throw new BeingRestored('This database was restored while the connection to it was lost. Start again.')
  return oid
}

async function answered<T>(asked: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const silent = new Promise<never>((_, reject) => {
    const error = new Error(`The database is connected, and has given no answer for ${ANSWER_MS / 1_000} s.`)
    late = setTimeout(() => reject(error), ANSWER_MS)
  })
  try {
    return await Promise.race([asked, silent])
  } finally {
    clearTimeout(late)
  }
}

async function rowsThere(client: pg.Client): Promise<Rows> {
  const { rows } = await client.query<{ oid: Rows }>(`select to_regnamespace('app')::oid::text as oid`)
  return rows[0]!.oid
}

async function takeAlone(client: pg.Client): Promise<void> {
  if (!(await tryLock(client, 'alone')))
    throw new Error('A process of the product is connected to this database. Stop it first.')
}

async function tryLock(client: pg.Client, how: 'shared' | 'alone'): Promise<boolean> {
  const lock = how === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query<{ locked: boolean }>(`select ${lock}(hashtext($1)) as locked`, [LOCK_NAME])
  return rows[0]!.locked
}
