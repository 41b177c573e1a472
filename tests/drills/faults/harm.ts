import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { descendantsOf } from '../program-child.ts'
import { withCoreOf } from '../program-core.ts'

/** Does its harm for so many milliseconds and takes it away again. */
export type Harm = (target: { pid: number; dataDir: string }, ms: number) => Promise<void>

const LOG_PROCESS = 'log-process'
/** By the name of the program file: the title of a running one is its own. */
const isPostgres = (pid: number) => /^postgres\n?$/.test(textOf(`/proc/${pid}/comm`))
const isLog = (pid: number) => textOf(`/proc/${pid}/cmdline`).includes(LOG_PROCESS)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const signal = (pids: readonly number[], name: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // A session may have ended in this moment.
    }
  }
}

const frozen =
  (is: (pid: number) => boolean): Harm =>
  async ({ pid }, ms) => {
    const pids = descendantsOf(pid).filter(is)
    if (pids.length === 0) throw new Error('There is nothing to freeze.')
    signal(pids, 'SIGSTOP')
    await pause(ms)
    signal(pids, 'SIGCONT')
  }

export const postgresFrozen = frozen(isPostgres)
export const logFrozen = frozen(isLog)

/** Dead the whole time: whatever is started in its place dies too. */
export const postgresDead: Harm = async ({ pid }, ms) => {
  for (const end = Date.now() + ms; Date.now() < end; await pause(20))
    signal(descendantsOf(pid).filter(isPostgres), 'SIGKILL')
}

/** Another transaction holds every checkpoint: no projector gets on. */
export const projectorsHeld: Harm = ({ dataDir }, ms) =>
  withCoreOf(
    dataDir,
    async ({ storage }) => {
      const db = await storage.pool.connect()
      await db.query('begin')
      await db.query('select from app.projection for update')
      await pause(ms)
      await db.query('rollback')
      db.release()
    },
    { settled: false },
  )

/** A file system in memory, so small that it can be filled. False where this machine does not allow one. */
export function mountSmall(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const unmount = (folder: string) => void execFileSync('umount', ['-l', folder], { stdio: 'ignore' })

/** No byte is left on the file system of the data folder. */
export const diskFull: Harm = async ({ dataDir }, ms) => {
  const ballast = join(dataDir, 'ballast')
  const end = Date.now() + ms
  try {
    // What Postgres gives back meanwhile is taken too.
    for (; Date.now() < end; await pause(100)) fill(ballast)
  } finally {
    rmSync(ballast, { force: true })
  }
}

function fill(ballast: string): void {
  const file = openSync(ballast, 'a')
  try {
    for (let size = 1 << 20; size >= 512; ) {
      try {
        writeSync(file, Buffer.alloc(size))
      } catch {
        size >>= 1
      }
    }
  } finally {
    closeSync(file)
  }
}

/** In place of a full disk: Postgres refuses every event with the error that a full disk has. */
export const diskFullSimulated: Harm = ({ dataDir }, ms) =>
  withCoreOf(
    dataDir,
    async ({ storage }) => {
      await storage.pool.query(`create or replace function app.no_space() returns trigger language plpgsql as
        $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`)
      const tables = ['app.projection', 'app.session']
      for (const table of tables)
        await storage.pool.query(
          `create trigger no_space before insert or update on ${table} execute function app.no_space()`,
        )
      await pause(ms)
      for (const table of tables) await storage.pool.query(`drop trigger no_space on ${table}`)
    },
    { settled: false },
  )
