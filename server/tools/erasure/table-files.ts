import type pg from 'pg'
import { backOff } from '../../../eventstore/retry.ts'

/** Making a larger table anew, in bytes, would lock it for too long: those are left to the operator. */
export const LARGEST = 64 * 1024 * 1024
/** Whoever reads or writes a table waits no longer than this for it, and for no table that is in use. */
const LOCK_TIMEOUT_MS = 200
const STATEMENT_TIMEOUT_MS = 3_000
const NOT_ALLOWED = '42501'
/** By default another transaction, or whoever uses a table, is waited for as long. */
const WAIT_MS = 15_000
/** Where Postgres has its samples of values; what it takes no more stays there as the space of a row that is gone. */
export const SAMPLES = 'pg_catalog.pg_statistic'

/** The id of a transaction that begins and ends now. */
export async function markTransaction(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id()::xid::text as xid')
  return rows[0]!.xid
}

/** Tries again for `waitMs`, or until the signal ends, longer apart each time; an error counts as false. */
export async function comesTrue(
  work: () => Promise<boolean>,
  waitMs = WAIT_MS,
  signal?: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + waitMs
  for (let attempt = 1; ; attempt++) {
    if (await work().catch(() => false)) return true
    if (signal?.aborted || performance.now() >= until) return false
    await backOff(attempt, signal)
  }
}

/** Whether, at once or within `waitMs`, nothing from before that transaction may see rows that went before it. */
export const comesUnseen = (
  client: pg.ClientBase,
  xid: string,
  waitMs?: number,
  signal?: AbortSignal,
): Promise<boolean> => comesTrue(async () => !(await isSeenFromBefore(client, xid)), waitMs, signal)

/**
 * Whether a transaction, a standby or a slot from before that transaction may see rows that went before it: making a
 * table anew would copy them. It copies as well what went while a transaction was writing in whichever database.
 */
async function isSeenFromBefore(client: pg.ClientBase, xid: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
       where pid <> pg_backend_pid() and (age(backend_xid) > age($1::xid)
         or (datname is null or datname = current_database()) and age(backend_xmin) > age($1::xid))
     union all select from pg_replication_slots where age(xmin) > age($1::xid)
     union all select from pg_prepared_xacts where age(transaction) > age($1::xid)`,
    [xid],
  )
  return rowCount !== 0
}

/** Runs `work` on a connection whose statements keep nobody waiting for long. */
export async function withShortLocks<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}; set statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
  try {
    return await work()
  } finally {
    await client.query('reset lock_timeout; reset statement_timeout')
  }
}

/** Without the space that rows left. `name` is escaped already. */
export async function remakeTable(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`vacuum (full) ${name}`)
}

/** Whether this user may make the table of samples anew: a superuser, and the owner of the database. */
export async function mayRemakeSamples(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select pg_has_role(datdba, 'usage') as may from pg_database where datname = current_database()`,
  )
  return rows[0]!.may
}

/** Of a table with its indexes; `name` is escaped already. */
export async function bytesOf(client: pg.ClientBase, name: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>('select pg_total_relation_size($1)::float8 as bytes', [name])
  return rows[0]!.bytes
}

/** Twice: the first checkpoint lets go of the file before, the second one of its own. False where this user may not. */
export async function endWrittenAhead(client: pg.ClientBase): Promise<boolean> {
  try {
    for (let round = 0; round < 2; round++) {
      await client.query('select pg_switch_wal()')
      await client.query('checkpoint')
    }
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== NOT_ALLOWED) throw error
    return false
  }
}
