import type pg from 'pg'

/** In milliseconds; none without. */
export type TransactionLimits = {
  /** Postgres ends the transaction of a process that asks nothing for so long, and gives its locks to others. */
  readonly idleMs?: number | undefined
  /** A statement that waits longer for a lock fails. */
  readonly lockMs?: number | undefined
}

function beginWith({ idleMs, lockMs }: TransactionLimits): string {
  const idle = idleMs === undefined ? '' : `; set local idle_in_transaction_session_timeout = ${idleMs}`
  const lock = lockMs === undefined ? '' : `; set local lock_timeout = ${lockMs}`
  return `begin${idle}${lock}`
}

/** Runs work on a connection of its own; its error rolls back and is thrown on. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  limits: TransactionLimits = {},
): Promise<T> {
  const db = await pool.connect()
  let broken: Error | undefined
  // A connection that dies while idle in a transaction has no query to report it.
  const onError = (error: Error) => {
    broken = error
  }
  db.on('error', onError)
  try {
    await db.query(beginWith(limits))
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
