import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Databases, databasesAt } from '../../server/embedded/postgres/databases.ts'
import { startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { quiet } from '../../services/quiet-pool.ts'
import { makeRunFolder, SOCKET_VARIABLE } from './global-setup.ts'

export type TestDatabase = { config: pg.ClientConfig; name: string; drop(): Promise<void> }

/** What a database starts with: `migrate` fills an empty database, once in a run for each `name`. */
export type Template = { name: string; migrate(config: pg.ClientConfig): Promise<void> }

type Origin = { template?: Template; copyOf?: string | undefined }

/** A database of the caller's own on the run's shared Postgres; empty, or a copy of the template, or of one that nobody is connected to. */
export async function testDatabase({ template, copyOf }: Origin = {}): Promise<TestDatabase> {
  const databases = await testServer()
  const name = `t_${randomBytes(8).toString('hex')}`
  if (template) await makeTemplate(databases, template)
  await copyDatabase(databases, name, copyOf ?? (template ? templateName(template) : 'template0'))
  return { config: databases.clientConfig(name), name, drop: () => dropWhenLeft(databases, name) }
}

/** Files are copied as they are: without the write-ahead log that a copy has by default, and a fraction of its time. */
async function copyDatabase(databases: Databases, name: string, from: string): Promise<void> {
  const [to, of] = [name, from].map((one) => pg.escapeIdentifier(one))
  await adminOf(databases).query(`create database ${to} template ${of} strategy file_copy`)
}

const admins = new WeakMap<Databases, pg.Pool>()

/** What makes and drops databases: a connection for each of these statements would cost more than most of them. */
function adminOf(databases: Databases): pg.Pool {
  const known = admins.get(databases)
  if (known) return known
  const pool = quiet(new pg.Pool({ ...databases.clientConfig('postgres'), max: 3, allowExitOnIdle: true }))
  admins.set(databases, pool)
  return pool
}

const LEAVE_WITHIN_MS = 2_000

/** A connection that its pool has ended may still be on its way out: cut off then, it would complain to nobody. */
async function dropWhenLeft(databases: Databases, name: string): Promise<void> {
  const admin = adminOf(databases)
  const leave = Date.now() + LEAVE_WITHIN_MS
  const isUsed = async () =>
    (await admin.query('select from pg_stat_activity where datname = $1 limit 1', [name])).rowCount !== 0
  while (Date.now() < leave && (await isUsed())) await pause(10)
  await admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

let server: Promise<Databases> | undefined
/** The templates of that server. */
const made = new Set<string>()

/**
 * The run's shared Postgres itself. It is fast and unsafe: nothing is synced to disk.
 * Outside Vitest this process gets one of its own, which ends with it.
 */
export function testServer(): Promise<Databases> {
  const socketPath = process.env[SOCKET_VARIABLE]
  server ??= socketPath ? askSocket(socketPath).then(databasesAt) : ownServer()
  return server
}

async function askSocket(path: string): Promise<pg.ClientConfig> {
  let text = ''
  for await (const part of connect(path)) text += String(part)
  const answer = JSON.parse(text) as { server: pg.ClientConfig } | { error: string }
  if ('error' in answer) throw new Error(answer.error)
  return answer.server
}

async function ownServer({ fast = true } = {}): Promise<Databases> {
  const folder = makeRunFolder(tmpdir())
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return startPostgres({ dataDir: join(folder, 'postgres'), fast })
}

/** While `work` goes on, databases are on a server that waits for the disk, as a product's own does. */
export async function onSyncedServer<T>(work: () => Promise<T>): Promise<T> {
  const [before, templates] = [server, [...made]]
  server = ownServer({ fast: false })
  made.clear()
  try {
    return await work()
  } finally {
    server = before
    made.clear()
    for (const name of templates) made.add(name)
  }
}

const templateName = ({ name }: Template) => `template_${name}`

/** Workers meet on a lock named by the template; a template gets its name when it is whole. */
async function makeTemplate(databases: Databases, template: Template): Promise<void> {
  const name = templateName(template)
  if (made.has(name)) return
  const client = new pg.Client(databases.clientConfig('postgres'))
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const existing = await client.query('select from pg_database where datname = $1', [name])
    if (!existing.rowCount) await buildTemplate(databases, template, client)
    made.add(name)
  } finally {
    await client.end()
  }
}

async function buildTemplate(databases: Databases, template: Template, client: pg.Client): Promise<void> {
  const draft = `${templateName(template)}_draft`
  await databases.dropDatabase(draft)
  await databases.createDatabase(draft)
  await template.migrate(databases.clientConfig(draft))
  // A pool that has just ended may still be closing its connections on the server's side.
  await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [draft])
  await client.query(
    `alter database ${pg.escapeIdentifier(draft)} rename to ${pg.escapeIdentifier(templateName(template))}`,
  )
}
