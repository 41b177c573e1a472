import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findRunning, type ProductDatabases } from '../../../server/data-dir.ts'
import { descendantsOf } from '../program-child.ts'
import { type Harm, isPostgres } from './harm.ts'

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

const BETWEEN_FILLS_MS = 100
/** A busy machine may take so much longer until a write has met the fault. */
const REFUSES_WITHIN_MS = 60_000

/**
 * No byte is left on the file system of the data folder. First tables cannot grow; then Postgres is made to begin a new
 * file of its write-ahead log, which it cannot, and dies of that until there is space. Answers what failed in either half,
 * and how often all of Postgres ended.
 */
export const diskFull: Harm = async ({ pid, dataDir, refused }, ms) => {
  const ballast = join(dataDir, 'ballast')
  const { app } = databasesOf(dataDir)
  const servers = new Set<number>()
  const startedAt = Date.now()
  const lasts = (share: number, since: number) => {
    const passed = Date.now() - startedAt
    return passed < ms * share || (refused() <= since && passed < ms * share + REFUSES_WITHIN_MS)
  }
  try {
    // What Postgres gives back meanwhile is taken too.
    for (; lasts(0.5, 0); await pause(BETWEEN_FILLS_MS)) fill(ballast)
    const before = refused()
    for (; lasts(1, before); await pause(BETWEEN_FILLS_MS)) {
      fill(ballast)
      await endWalFile(app)
      const [server] = descendantsOf(pid).filter(isPostgres)
      if (server) servers.add(server)
    }
    return { refusedByTables: before, refusedByWal: refused() - before, serversEnded: servers.size - 1 }
  } finally {
    rmSync(ballast, { force: true })
  }
}

function databasesOf(dataDir: string): ProductDatabases {
  const databases = findRunning(dataDir)?.databases
  if (!databases) throw new Error('The program does not say where its databases are.')
  return databases
}

/** The next byte of the write-ahead log needs a new file. */
async function endWalFile(database: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...database, connectionTimeoutMillis: 1_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select pg_switch_wal()')
  } catch {
    // Postgres is down, as it should be.
  } finally {
    await client.end().catch(() => undefined)
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

const NO_SPACE = `create or replace function public.no_space() returns trigger language plpgsql as
  $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`

/** In place of a full disk: Postgres refuses every new event and row with the error that a full disk has. */
export const diskFullSimulated: Harm = async ({ dataDir, refused }, ms) => {
  const { app, log } = databasesOf(dataDir)
  const give = [await refuseInserts(app, 'app'), await refuseInserts(log, 'log')]
  try {
    const startedAt = Date.now()
    const lasts = () => Date.now() - startedAt < ms || (refused() === 0 && Date.now() - startedAt < REFUSES_WITHIN_MS)
    for (; lasts(); ) await pause(BETWEEN_FILLS_MS)
    return undefined
  } finally {
    for (const back of give) await back()
  }
}

/** Every table of a schema refuses to take a row. The answer takes the fault away. */
async function refuseInserts(database: pg.ClientConfig, schema: 'app' | 'log'): Promise<() => Promise<void>> {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1`,
    [schema],
  )
  await client.query(NO_SPACE)
  for (const { name } of rows)
    await client.query(`create trigger no_space before insert or update on ${name} execute function public.no_space()`)
  return async () => {
    for (const { name } of rows) await client.query(`drop trigger no_space on ${name}`)
    await client.end()
  }
}
