import type pg from 'pg'

/**
 * Runs work on a connection of its own; its error rolls back and is thrown on. `idleMs`: Postgres ends the transaction of a
 * process that asks nothing for so long, and gives its locks to others.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  { idleMs }: { readonly idleMs?: number } = {},
): Promise<T> {
  const db = await pool.connect()
  let broken: Error | undefined
  // A connection that dies while idle in a transaction has no query to report it.
  const onError = (error: Error) => {
    broken = error
  }
  db.on('error', onError)
  try {
    const limit = idleMs === undefined ? '' : `; set local idle_in_transaction_session_timeout = ${idleMs}`
    await db.query(`begin${limit}`)
    const answer = await work(db)
    await db.query('commit')
    return answer
  } catch (error) {
    await db.query('rollback').catch((failure: Error) => {
      broken ??= failure
    })
    throw error
  } finally {
    db.off('error', onError)
    db.release(broken)
  }
}
