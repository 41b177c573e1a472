import type pg from 'pg'

/**
 * Keeps a dropped connection from ending the process: an idle one is replaced by the next query, one that is in use, such
 * as between two statements of a transaction, fails its user's next query.
 */
export function quiet(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
