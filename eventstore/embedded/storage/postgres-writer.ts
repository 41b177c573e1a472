import type { Socket } from 'node:net'
import pg from 'pg'
import { CONNECT_MS, NOTICED } from './noticed.ts'

const LOCK_NAME = 'log-server'

/** A plan is made once: with many partitions planning would take longer than the query. */
export const PLANS = 'set plan_cache_mode = force_generic_plan; set jit = off'
const LOCK_NOT_AVAILABLE = '55P03'

/** Bigints arrive as numbers: positions, revisions and times all stay below 2^53. */
export const numbersForBigints: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** `former`: the process of the connection before, which may have the lock still where its end was not heard of. */
export type WriterSettings = {
  database: pg.ClientConfig
  logLine: (line: string) => void
  lockWaitMs: number
  former?: number | undefined
  /** A connection that does not answer for so long is cut; half a minute without. */
  silentMs?: number | undefined
}

/** The process of Postgres that serves a connection. */
export const processOf = (client: pg.Client): number | undefined =>
  (client as unknown as { processID: number | null }).processID ?? undefined

/** Another process has the lock for writing and did not release it in time. */
export class LogInUseError extends Error {
  override name = 'LogInUseError'
  constructor(waitedMs: number) {
    super(`Another log server is still writing to this database after ${waitedMs / 1000} s. Stop it, then start again.`)
  }
}

/**
 * Opens the one connection that may write. The lock belongs to the connection: whoever can still insert through it is
 * the only writer, and a dead writer's lock falls only after its last commit has ended.
 */
export async function connectWriter(settings: WriterSettings, onLost: (lost: pg.Client) => void): Promise<pg.Client> {
  const heard = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: CONNECT_MS }
  const writer = new pg.Client({ ...settings.database, ...heard, types: numbersForBigints })
  writer.on('error', () => onLost(writer))
  writer.on('end', () => onLost(writer))
  await writer.connect()
  try {
    // The lock falls with the connection, however long nobody writes.
    await writer.query({
      text: `${NOTICED}; set idle_session_timeout = 0`,
      query_timeout: CONNECT_MS,
    } as pg.QueryConfig)
    await takeLock(writer, settings)
    // A cluster may be tuned for speed; the log promises that what it acknowledged is on disk.
    await writer.query('set synchronous_commit = on')
    await writer.query(PLANS)
    return writer
  } catch (error) {
    await writer.end().catch(() => {})
    throw error
  }
}

/** A commit that is not answered for so long never will be, over this connection. */
const SILENT_MS = 30_000

/** Cuts a connection that does not answer: whoever waits for it gets an error, and another one is opened. */
export async function unlessSilent<T>(
  writer: pg.Client,
  { silentMs = SILENT_MS }: Pick<WriterSettings, 'silentMs'>,
  work: () => Promise<T>,
): Promise<T> {
  const { stream } = (writer as unknown as { connection: { stream: Socket } }).connection
  const cut = setTimeout(() => stream.destroy(new Error('The connection to Postgres is silent.')), silentMs)
  return work().finally(() => clearTimeout(cut))
}

/** Only the one that has the lock: its number may be another's by now. */
const END_FORMER = `select pg_terminate_backend(pid) from pg_locks
  where pid = $1 and locktype = 'advisory' and granted and objid = (hashtext('${LOCK_NAME}')::bigint & 4294967295)::oid`

async function takeLock(writer: pg.Client, { logLine, lockWaitMs, former }: WriterSettings): Promise<void> {
  if (former !== undefined) await writer.query(END_FORMER, [former])
  const tried = await writer.query('select pg_try_advisory_lock(hashtext($1)) as locked', [LOCK_NAME])
  if (tried.rows[0].locked) return
  logLine(`Another log server holds this database. Waiting up to ${lockWaitMs / 1000} s for it to let go.`)
  try {
    await writer.query(`set lock_timeout = ${lockWaitMs}`)
    await writer.query('select pg_advisory_lock(hashtext($1))', [LOCK_NAME])
    await writer.query('set lock_timeout = 0')
  } catch (error) {
    throw error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE ? new LogInUseError(lockWaitMs) : error
  }
}
