import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { migrateToLatest } from '../../../migrations/index.ts'
import { type Postgres, startPostgres } from '../../../server/embedded/postgres/launcher.ts'
import { startLogProcess } from '../../drills/log-child.ts'
import { writeMix } from './mix-log.ts'

/** Databases on a Postgres that syncs to disk as in production. */
export type Store = { readonly log: pg.ClientConfig; readonly app: pg.ClientConfig; readonly bare: pg.ClientConfig }

/** The same for every run, as the events that were sealed with it. */
export const MASTER_KEY = createHash('sha256').update('bench').digest()

/** The keys' database gets its name last, so that what was interrupted is made again. */
const KEPT = { log: 'log_mix', keys: 'app_mix', draft: 'app_mix_draft' }

/**
 * A cluster that is kept: the mix is written once for each size, and its log is never written again. Every other database
 * is new in each run. `fresh` forgets what was kept.
 */
export async function withKeptLog<T>(events: number, fresh: boolean, work: (store: Store) => Promise<T>): Promise<T> {
  const folder = join(tmpdir(), 'letsbuzz-bench-rebuild', `mix-${events}`)
  if (fresh) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Postgres started by root runs as another user.
  for (const one of [join(folder, '..'), folder]) chmodSync(one, 0o755)
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  try {
    if (!(await isThere(postgres, KEPT.keys))) await make(postgres, events)
    return await work(await newStore(postgres))
  } finally {
    await postgres.stop()
  }
}

async function newStore(postgres: Postgres): Promise<Store> {
  for (const name of ['app', 'bare']) await postgres.dropDatabase(name)
  await postgres.createDatabase('app', KEPT.keys)
  await postgres.createDatabase('bare')
  const [app, bare] = [postgres.clientConfig('app'), postgres.clientConfig('bare')]
  await migrate(app)
  return { log: postgres.clientConfig(KEPT.log), app, bare }
}

async function make(postgres: Postgres, events: number): Promise<void> {
  for (const name of [KEPT.log, KEPT.draft]) {
    await postgres.dropDatabase(name)
    await postgres.createDatabase(name)
  }
  const log = postgres.clientConfig(KEPT.log)
  // It makes its tables.
  await (await startLogProcess(log, 0)).kill()
  const app = postgres.clientConfig(KEPT.draft)
  await migrate(app)
  const pool = new pg.Pool(app)
  try {
    await writeMix(log, createKeyRing(pool, MASTER_KEY), events)
  } finally {
    await pool.end()
  }
  await query(postgres, `alter database ${KEPT.draft} rename to ${KEPT.keys}`)
}

async function migrate(app: pg.ClientConfig): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool(app) }) })
  await migrateToLatest(db).finally(() => db.destroy())
}

const isThere = async (postgres: Postgres, name: string) =>
  (await query(postgres, `select from pg_database where datname = '${name}'`)).rowCount === 1

async function query(postgres: Postgres, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(postgres.clientConfig('postgres'))
  await client.connect()
  return client.query(text).finally(() => client.end())
}
