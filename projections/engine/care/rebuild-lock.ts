import type pg from 'pg'
import { HeardClient } from '../../../eventstore/postgres/heard-client.ts'
import { CONNECT_MS, NOTICED } from '../../../eventstore/postgres/noticed.ts'

/** Another process is making tables of this projection. */
export class RebuildRunning extends Error {
  override name = 'RebuildRunning'
}

/** Of the projection with the name `$1`. */
export const REBUILD_LOCK = `hashtext('projection rebuild'), hashtext($1)`

/** The read models whose lock is taken, of those with tables. */
export async function listRebuilding(db: Pick<pg.ClientBase, 'query'>): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>(
    `select name from app.projection_target join pg_locks
       on (classid, objid) = (hashtext('projection rebuild')::bit(32)::bigint::oid, hashtext(name)::bit(32)::bigint::oid)
     where locktype = 'advisory' and objsubid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())`,
  )
  return new Set(rows.map(({ name }) => name))
}

/**
 * Runs work that nobody else may do on a projection at the same time. The lock belongs to a connection of its own, so that
 * the death of the process gives it back; the signal that `work` has ends with that connection. Throws RebuildRunning when the lock
 * is taken.
 */
export async function withRebuildLock<T>(
  pool: pg.Pool,
  name: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  // A pool hides the password of its options.
  const { password } = pool.options
  const inTime = { connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS }
  const client = new HeardClient({ ...pool.options, password, ...inTime })
  const lost = new AbortController()
  client.once('end', () => lost.abort(new Error(`The connection that keeps other rebuilds of ${name} out was lost.`)))
  await client.connect()
  try {
    // It has nothing to do but to be there.
    await client.query(`${NOTICED}; set idle_session_timeout = 0`)
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_lock(${REBUILD_LOCK}) as free`, [
      name,
    ])
    if (!rows[0]?.free) throw new RebuildRunning(`Another rebuild of ${name} is under way. Wait for it, or stop it.`)
    return await work(lost.signal)
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Alone = { readonly pool: pg.Pool; readonly signal: AbortSignal }

/** As `withRebuildLock`, for work that ends with the signal of its deps. */
export const alone = <Deps extends Alone, T>(deps: Deps, name: string, work: (deps: Deps) => Promise<T>): Promise<T> =>
  withRebuildLock(deps.pool, name, (lost) => work({ ...deps, signal: AbortSignal.any([deps.signal, lost]) }))
