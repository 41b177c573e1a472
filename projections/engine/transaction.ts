import type { Socket } from 'node:net'
import pg from 'pg'

/** In milliseconds; none without. */
export type TransactionLimits = {
  /** Postgres ends the transaction of a process that asks nothing for so long, and gives its locks to others. */
  readonly idleMs?: number | undefined
  /** A statement that waits longer for a lock fails. */
  readonly lockMs?: number | undefined
  /** Postgres ends a statement that takes longer, and with it what it does for it. */
  readonly statementMs?: number | undefined
  /** The connection is cut when it all takes longer: Postgres may be gone without closing it. */
  readonly cutMs?: number | undefined
  /**
   * A piece of what can be done again: rows are found at the places that are given, and by no index that leads to more of them, and
   * the disk is not waited for.
   */
  readonly piece?: true
  /** Each statement is sent before the one in front of it is answered (`inOneGo`). COPY does not go this way. */
  readonly pipelined?: true
}

/** Those of a transaction that others wait for: a process that is stopped in it keeps them from their work no longer. */
export const GIVES_WAY: TransactionLimits = { idleMs: 5_000, cutMs: 30_000 }

/** Postgres' codes of a lock timeout and of a deadlock. */
const TAKEN = new Set(['55P03', '40P01'])

/** Others keep locked what a statement needs. */
export const isTaken = (error: unknown): boolean => error instanceof pg.DatabaseError && TAKEN.has(error.code ?? '')

/** Rows are found by index, whatever the statistics expect: a table that was small as a statement was planned may grow. */
const BY_INDEX =
  'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; set local jit = off'

const BY_PLACE =
  'set local enable_indexscan = off; set local enable_bitmapscan = off; set local synchronous_commit = off'

function beginWith({ idleMs, lockMs, statementMs, piece }: TransactionLimits): string {
  const idle = idleMs === undefined ? '' : `; set local idle_in_transaction_session_timeout = ${idleMs}`
  const lock = lockMs === undefined ? '' : `; set local lock_timeout = ${lockMs}`
  const statement = statementMs === undefined ? '' : `; set local statement_timeout = ${statementMs}`
  return `begin; ${BY_INDEX}${piece ? `; ${BY_PLACE}` : ''}${idle}${lock}${statement}`
}

/** Ends what waits for an answer; a query of its own would wait behind it. */
function cutOff(db: pg.PoolClient): void {
  const { stream } = (db as unknown as { connection: { stream: Socket } }).connection
  stream.destroy(new Error('The connection to Postgres is silent.'))
}

/** `broken`: why nobody may use the connection after this one. */
type Connection = { readonly db: pg.PoolClient; broken: Error | undefined }

/** Runs work on a connection of its own, which is cut after `cutMs`. */
async function onConnection<T>(
  pool: pg.Pool,
  work: (connection: Connection) => Promise<T>,
  cutMs?: number,
): Promise<T> {
  const connection: Connection = { db: await pool.connect(), broken: undefined }
  const { db } = connection
  // A connection that dies while idle in a transaction has no query to report it.
  const onError = (error: Error) => {
    // The server's reason comes first, and behind it that the connection is closed.
    connection.broken ??= error
  }
  db.on('error', onError)
  const cut = cutMs === undefined ? undefined : setTimeout(() => cutOff(db), cutMs)
  try {
    return await work(connection)
  } finally {
    clearTimeout(cut)
    db.off('error', onError)
    db.release(connection.broken)
  }
}

/** Runs work on a connection of its own, without a transaction. */
export const onOwnConnection = <T>(pool: pg.Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> =>
  onConnection(pool, ({ db }) => work(db))

/** What node-postgres decides by, each time that it is asked something. */
type Pipelining = { pipeline: boolean }

/** Of a statement that Postgres passed over, for one before it failed. */
const isBehindError = (error: unknown) => error instanceof pg.DatabaseError && error.code === '25P02'

/**
 * What all of them ask goes to Postgres at once over a connection that is pipelined, and else one after the other. It runs in their
 * order either way; the first error is thrown, once all of them have ended.
 */
export async function inOneGo<A, T>(db: pg.ClientBase, all: Iterable<A>, run: (one: A) => Promise<T>): Promise<T[]> {
  if ((db as unknown as Pipelining).pipeline) {
    const ended = await Promise.allSettled(Array.from(all, run))
    const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    if (failures.length > 0) throw failures.find((error) => !isBehindError(error)) ?? failures[0]
    return ended.map((one) => (one as PromiseFulfilledResult<T>).value)
  }
  const answers: T[] = []
  for (const one of all) answers.push(await run(one))
  return answers
}

/** Runs work on a connection of its own; its error rolls back and is thrown on. */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  limits: TransactionLimits = {},
): Promise<T> {
  const transaction = async (connection: Connection) => {
    const { db } = connection
    const pipelining = db as unknown as Pipelining
    pipelining.pipeline = limits.pipelined ?? false
    try {
      // Nothing is sent before it is answered: without a transaction each statement would stand for itself.
      await db.query(beginWith(limits))
      const answer = await work(db)
      await db.query('commit')
      return answer
    } catch (failed) {
      // Why the connection ended, where it did: the query knows only that there is none.
      const error = connection.broken ?? failed
      await db.query('rollback').catch((failure: Error) => {
        connection.broken ??= failure
      })
      throw error
    } finally {
      pipelining.pipeline = false
    }
  }
  return onConnection(pool, transaction, limits.cutMs)
}
