import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { HeardClient } from '../../postgres/heard-client.ts'
import { NOTICED } from '../../postgres/noticed.ts'

const LOCK_NAME = 'log-server'

/** A plan is made once: with many partitions planning would take longer than the query. */
export const PLANS = 'set plan_cache_mode = force_generic_plan; set jit = off'
/** The lock is asked for again so often: each question has its own answer, by which a silent connection is known. */
const LOCK_AGAIN_MS = 50

/** Bigints arrive as numbers: positions, revisions and times all stay below 2^53. */
export const numbersForBigints: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

export type WriterSettings = {
  database: pg.ClientConfig
  logLine: (line: string) => void
  lockWaitMs: number
  /** A connection that does not answer for so long is cut; half a minute without. */
  silentMs?: number | undefined
}

/** The process of Postgres that serves a connection. */
const processOf = (client: pg.Client): number | null => (client as unknown as { processID: number | null }).processID

/** Another process has the lock for writing and did not release it in time. */
export class LogInUseError extends Error {
  override name = 'LogInUseError'
  constructor(waitedMs: number) {
    super(`Another log server is still writing to this database after ${waitedMs / 1000} s. Stop it, then start again.`)
  }
}

/**
 * Opens the one connection that may write. The lock belongs to the connection: whoever can still insert through it is
 * the only writer, and a dead writer's lock falls only after its last commit has ended. `own`: the processes of such connections of
 * this server, which may have the lock still where their end was not heard of.
 */
export async function connectWriter(
  { database, silentMs, ...settings }: WriterSettings,
  own: Set<number>,
  onLost: (lost: pg.Client) => void,
): Promise<pg.Client> {
  const writer = new HeardClient({ ...database, silentMs, types: numbersForBigints })
  writer.on('error', () => onLost(writer))
  writer.on('end', () => onLost(writer))
  await writer.connect()
  try {
    // The lock falls with the connection, however long nobody writes.
    await writer.query(`${NOTICED}; set idle_session_timeout = 0`)
    await takeLock(writer, settings, own)
    // A cluster may be tuned for speed; the log promises that what it acknowledged is on disk.
    await writer.query('set synchronous_commit = on')
    await writer.query(PLANS)
    return writer
  } catch (error) {
    await writer.end().catch(() => {})
    throw error
  }
}

/** Only those that have the lock: their numbers may be others' by now. */
const END_OWN = `select pg_terminate_backend(pid) from pg_locks
  where pid = any($1) and locktype = 'advisory' and granted and objid = (hashtext('${LOCK_NAME}')::bigint & 4294967295)::oid`

type LockSettings = Pick<WriterSettings, 'logLine' | 'lockWaitMs'>

async function takeLock(writer: pg.Client, { logLine, lockWaitMs }: LockSettings, own: Set<number>): Promise<void> {
  if (own.size) await writer.query(END_OWN, [[...own]])
  const process = processOf(writer)!
  own.add(process)
  if (!(await isLocked(writer))) {
    logLine(`Another log server holds this database. Waiting up to ${lockWaitMs / 1000} s for it to let go.`)
    const until = performance.now() + lockWaitMs
    do {
      if (performance.now() >= until) {
        own.delete(process)
        throw new LogInUseError(lockWaitMs)
      }
      await pause(LOCK_AGAIN_MS)
    } while (!(await isLocked(writer)))
  }
  own.clear()
  own.add(process)
}

async function isLocked(writer: pg.Client): Promise<boolean> {
  const { rows } = await writer.query('select pg_try_advisory_lock(hashtext($1)) as locked', [LOCK_NAME])
  return rows[0].locked
}
