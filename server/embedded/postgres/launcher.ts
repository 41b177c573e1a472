import { rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { LockTaken, takeLock } from '../lifecycle/lock-file.ts'
import { type Account, postgresAccount } from './account.ts'
import { type Binaries, locateBinaries } from './binaries.ts'
import { createCluster, giveTo, SUPERUSER } from './cluster.ts'
import { type Databases, databasesAt } from './databases.ts'
import { keepUp } from './keep-up.ts'
import { openWithoutPassword, passwordOf, wantPassword } from './password.ts'
import { checkCluster, makeSocketDir, placeCluster, prepareParent } from './placement.ts'
import { startPostmaster, stopLeftOver } from './postmaster.ts'

export type PostgresLog = (level: 'debug' | 'info' | 'warn', text: string) => void

export type PostgresOptions = {
  /** The wished data folder of the cluster; `Postgres.dataDir` names the one in use. */
  dataDir: string
  /** For tests: nothing is synced to disk, so a power cut loses the cluster. */
  fast?: boolean
  /** How many connections it takes at once. */
  connections?: number
  log?: PostgresLog
}

export type Postgres = Databases & {
  stop(): Promise<void>
  dataDir: string
  /** Of the server that runs at this moment. */
  readonly pid: number
}

/** What one process of the product and the log open at most, with room for tools. */
export const CONNECTIONS = 100
/** Tests of several processes share one server. */
const CONNECTIONS_FAST = 200

/**
 * Starts the embedded Postgres, making its cluster at the first start and ending one whose parent died. A server that
 * dies is started again, on the same socket.
 * Throws an error whose message explains what to do: the folder is in use, of another user or of another version.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, fast = false, connections = fast ? CONNECTIONS_FAST : CONNECTIONS, log = () => {} } = options
  const account = postgresAccount()
  const binaries = await locateBinaries(account)
  const placement = placeCluster(dataDir, account)
  if (placement.notice) log(placement.notice.level, placement.notice.text)
  checkCluster(placement.dataDir, account, binaries.major)
  const lock = lockCluster(placement.dataDir)
  try {
    const sized = { fast, connections, log }
    return await startLocked({ dataDir: placement.dataDir, account, binaries, ...sized, release: lock.release })
  } catch (error) {
    lock.release()
    throw error
  }
}

function lockCluster(dataDir: string) {
  try {
    prepareParent(dataDir)
    return takeLock(`${dataDir}.lock`)
  } catch (error) {
    throw new Error(lockFailureText(dataDir, error), { cause: error })
  }
}

function lockFailureText(dataDir: string, error: unknown): string {
  const otherwise = 'or set DATA_DIR to another folder.'
  if (error instanceof LockTaken)
    return `${dataDir} is in use by process ${error.holder.pid}. Stop it first, ${otherwise}`
  const denied = ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
  if (denied) return `${dirname(dataDir)} cannot be written by this user. Start as the user who owns it, ${otherwise}`
  return `Could not lock ${dataDir}: ${String(error)}`
}

type Locked = {
  dataDir: string
  account: Account
  binaries: Binaries
  fast: boolean
  connections: number
  log: PostgresLog
  release(): void
}

async function startLocked(locked: Locked): Promise<Postgres> {
  const { dataDir, account, binaries, fast, connections, log, release } = locked
  const found = checkCluster(dataDir, account, binaries.major)
  if (found === 'new') log('info', 'Making the database …')
  if (found === 'new') await createCluster(locked, passwordOf(dataDir))
  const leftOver = await stopLeftOver(dataDir)
  if (leftOver === 'stopped') log('warn', 'Stopped a Postgres server that an earlier run left behind.')
  if (found === 'existing' && statSync(dataDir).uid !== account.uid) giveTo(dataDir, account)
  openWithoutPassword(dataDir, account)
  const password = passwordOf(dataDir)
  const socketDir = makeSocketDir(account)
  const clear = () => rmSync(socketDir, { recursive: true, force: true })
  try {
    const start = { dataDir, socketDir, binaries, account, fast, connections }
    const again = () => startPostmaster(start, (line) => log('debug', line))
    const { pid, stop } = await keepUp(again, (text) => log('warn', text))
    let stopping: Promise<void> | undefined
    const stopOnce = () => {
      stopping ??= stop().finally(clear).finally(release)
      return stopping
    }
    const server = { host: socketDir, port: 5432, user: SUPERUSER, password }
    await wantPassword(dataDir, account, server).catch((error) => stop().then(() => Promise.reject(error)))
    return {
      ...databasesAt(server),
      stop: stopOnce,
      dataDir,
      get pid() {
        return pid()
      },
    }
  } catch (error) {
    clear()
    throw error
  }
}
