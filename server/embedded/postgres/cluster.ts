import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'

/** The one database user of an embedded cluster; who may connect reaches the socket's folder and knows the password. */
export const SUPERUSER = 'letsbuzz'

/** A password of 256 random bits is not guessed from its hash, however quickly one is made. */
const ITERATIONS = '1'

// The locale is fixed here, so that the shell's LANG and LC_* change nothing and no system locale is needed.
const INITDB_FLAGS = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--auth=scram-sha-256',
  `--username=${SUPERUSER}`,
  `--set=scram_iterations=${ITERATIONS}`,
  '--no-instructions',
]

/**
 * How Postgres' programs are spawned: as the account, from a folder that everybody can enter, without the shell's
 * variables.
 */
export function spawnOptions(account: Account) {
  const user = account.other ? { uid: account.uid, gid: account.gid } : {}
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv
  return { ...user, cwd: '/', env }
}

type ToCreate = { dataDir: string; binaries: Binaries; account: Account; fast: boolean }

/**
 * Makes a cluster beside `dataDir` and renames it into place, so that an interrupted start leaves no half cluster. Its
 * folder is its own: what such a start left running may still write to another.
 */
export async function createCluster({ dataDir, binaries, account, fast }: ToCreate, password: string): Promise<void> {
  clearHalfMade(dataDir)
  const work = mkdtempSync(`${dataDir}.new-`)
  const made = join(work, 'postgres')
  const passwordFile = join(work, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  mkdirSync(made, { mode: 0o700 })
  if (account.other) {
    // Others of the account that makes it do not get past this folder: they are not in the group.
    chownSync(work, 0, account.gid)
    chmodSync(work, 0o710)
    for (const path of [made, passwordFile]) chownSync(path, account.initdbUid, account.gid)
  }
  const maker = { ...account, uid: account.initdbUid }
  await run(binaries.initdb, ['-D', made, `--pwfile=${passwordFile}`, '--no-sync', ...INITDB_FLAGS], maker)
  rmSync(passwordFile)
  if (!fast) await run(binaries.initdb, ['-D', made, '--sync-only'], maker)
  if (account.other) giveTo(made, account)
  renameSync(made, dataDir)
  rmdirSync(work)
}

/** Hands a cluster over, to its last file. */
export function giveTo(folder: string, { uid, gid }: Account): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid)
  lchownSync(folder, uid, gid)
}

function clearHalfMade(dataDir: string): void {
  const beside = dirname(dataDir)
  for (const name of readdirSync(beside).filter((entry) => entry.startsWith(`${basename(dataDir)}.new`))) {
    try {
      rmSync(join(beside, name), { recursive: true, force: true })
    } catch {
      // Still being written to; the next first start clears it.
    }
  }
}

/** What `initdb` answers to a user id without a name; Postgres itself runs under any id. */
const NO_NAME = 'could not look up effective user ID'

const namelessText = ({ uid }: Account) =>
  `The embedded Postgres makes its files only for a user that has a name, and ${uid} has none on this machine. Start as a user that is ` +
  'in /etc/passwd, once, or set DATABASE_URL to a Postgres server.'

const failedText = (code: number | null, complaint: string) =>
  `Making the Postgres data folder failed (${code}): ${complaint.trim()}`

function run(program: string, args: string[], account: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(account), stdio: ['ignore', 'ignore', 'pipe'] })
    let complaint = ''
    child.stderr.on('data', (text: Buffer) => {
      complaint += text
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(complaint.includes(NO_NAME) ? namelessText(account) : failedText(code, complaint)))
    })
  })
}

/** `connections`: of all processes together. */
type Sized = { readonly socketDir: string; readonly fast: boolean; readonly connections: number }

/**
 * Settings by command line, so that an existing cluster follows the program; sized for two cores and a laptop's memory.
 */
export function settings({ socketDir, fast, connections }: Sized): string[] {
  const values: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    scram_iterations: ITERATIONS,
    max_connections: String(connections),
    // Until it is over, one that is stopped while it connects keeps every database from being dropped.
    authentication_timeout: fast ? '5s' : '10s',
    shared_buffers: fast ? '64MB' : '192MB',
    effective_cache_size: '768MB',
    work_mem: '8MB',
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    min_wal_size: '128MB',
    max_wal_size: '1GB',
    // A file that is used again keeps its old bytes, and with them words of members who were erased.
    wal_recycle: 'off',
    fsync: fast ? 'off' : 'on',
    full_page_writes: fast ? 'off' : 'on',
    synchronous_commit: fast ? 'off' : 'on',
    checkpoint_timeout: fast ? '1h' : '5min',
    // The packaged server has no compiler library.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A failing statement and its values can be personal data; the client gets the error anyway.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
