import pg from 'pg'
import { CREATE_TABLE } from './postgres-table.ts'

const LOCK_NAME = 'log-server'
const LOCK_NOT_AVAILABLE = '55P03'

/** Bigints arrive as numbers: positions, revisions and times all stay below 2^53. */
export const numbersForBigints: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

export type WriterSettings = { database: pg.ClientConfig; logLine: (line: string) => void; lockWaitMs: number }

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
  const writer = new pg.Client({ ...settings.database, types: numbersForBigints })
  writer.on('error', () => onLost(writer))
  writer.on('end', () => onLost(writer))
  await writer.connect()
  try {
    // The lock falls with the connection, however long nobody writes.
    await writer.query('set idle_session_timeout = 0')
    await takeLock(writer, settings)
    // A cluster may be tuned for speed; the log promises that what it acknowledged is on disk.
    await writer.query('set synchronous_commit = on')
    await writer.query(CREATE_TABLE)
    return writer
  } catch (error) {
    await writer.end().catch(() => {})
    throw error
  }
}

async function takeLock(writer: pg.Client, { logLine, lockWaitMs }: WriterSettings): Promise<void> {
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
