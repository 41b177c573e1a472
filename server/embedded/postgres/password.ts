import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { keepPrivate } from '../lifecycle/private-file.ts'
import type { Account } from './account.ts'

const FORM = /^[\w-]{43}\n$/
const WANTS_PASSWORD = 'local all all scram-sha-256\n'
const WANTS_NOTHING = 'local all all trust\n'

/** Beside the cluster, for the owner of this process alone: Postgres itself keeps a hash. */
const fileOf = (dataDir: string) => `${dataDir}-secret`
const rulesOf = (dataDir: string) => join(dataDir, 'pg_hba.conf')

/** The password of a cluster's one user, made once for it. */
export function passwordOf(dataDir: string): string {
  const path = fileOf(dataDir)
  if (!existsSync(path)) keepPrivate(path, () => randomBytes(32).toString('base64url'))
  const text = readFileSync(path, 'utf8')
  if (!FORM.test(text)) throw new Error(`${path} is damaged. Delete it: the next start makes another.`)
  return text.trim()
}

/** Lets a cluster whose password is lost take another: whoever can write its files could do the same. */
export function openWithoutPassword(dataDir: string, account: Account): void {
  if (!existsSync(fileOf(dataDir))) writeRules(dataDir, account, WANTS_NOTHING)
}

/** Whether the cluster lets in without a password whoever reaches its socket. */
const isOpen = (dataDir: string): boolean =>
  /^\s*(local|host)\b.*\btrust\s*$/m.test(readFileSync(rulesOf(dataDir), 'utf8'))

/**
 * Gives the user of a running cluster its password, and shuts out whoever comes without one. A start that is killed
 * before the rules are in place leaves all of it to the next one.
 */
export async function wantPassword(dataDir: string, account: Account, server: pg.ClientConfig): Promise<void> {
  if (!isOpen(dataDir)) return
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    const [user, password] = [String(server.user), String(server.password)]
    // Of a statement that fails the server logs the text.
    await client.query('set log_min_error_statement = panic')
    await client.query(`alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(password)}`)
    writeRules(dataDir, account, WANTS_PASSWORD)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}

/** Whole or not at all. The folder is another account's: what it may have laid there is not followed. */
function writeRules(dataDir: string, { uid, gid }: Account, rules: string): void {
  const draft = `${rulesOf(dataDir)}.new`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, rules)
    fchownSync(file, uid, gid)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, rulesOf(dataDir))
}
