import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createCodec } from '../../eventstore/codec.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { migrateToLatest } from '../../migrations/index.ts'
import { type Postgres, startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { startLogProcess } from '../drills/log-child.ts'
import { generate, memberOf } from './rebuild-model.ts'

/** Databases on a Postgres that syncs to disk as in production. */
export type Store = { readonly log: pg.ClientConfig; readonly app: pg.ClientConfig; readonly bare: pg.ClientConfig }
export type Sizes = { readonly events: number; readonly members: number }

/** The same for every run, as the events that were sealed with it. */
export const MASTER_KEY = createHash('sha256').update('bench').digest()

/**
 * A cluster that is kept: generated events are made once for each size, and their log is never written again. Every
 * other database is new in each run. `fresh` forgets what was kept.
 */
export async function withKeptEvents<T>(
  { events, members }: Sizes,
  fresh: boolean,
  work: (storeOf: (sealed: boolean) => Promise<Store>) => Promise<T>,
): Promise<T> {
  const folder = join(tmpdir(), 'letsbuzz-bench-rebuild', `${events}-${members}`)
  if (fresh) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // Postgres started by root runs as another user.
  for (const one of [join(folder, '..'), folder]) chmodSync(one, 0o755)
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') })
  try {
    return await work((sealed) => storeOf(postgres, sealed, { events, members }))
  } finally {
    await postgres.stop()
  }
}

async function storeOf(postgres: Postgres, sealed: boolean, sizes: Sizes): Promise<Store> {
  const [log, kept] = sealed ? ['log_sealed', 'app_sealed'] : ['log_open', 'app_open']
  if (!(await isThere(postgres, kept))) await make(postgres, { log, kept, sealed }, sizes)
  for (const name of ['app', 'bare']) await postgres.dropDatabase(name)
  await postgres.createDatabase('app', kept)
  await postgres.createDatabase('bare')
  const [app, bare] = [postgres.clientConfig('app'), postgres.clientConfig('bare')]
  await migrate(app)
  return { log: postgres.clientConfig(log), app, bare }
}

type Made = { readonly log: string; readonly kept: string; readonly sealed: boolean }

/** The keys' database takes its name last, so that what was interrupted is made again. */
async function make(postgres: Postgres, { log, kept, sealed }: Made, { events, members }: Sizes): Promise<void> {
  const draft = `${kept}_draft`
  for (const name of [log, draft]) {
    await postgres.dropDatabase(name)
    await postgres.createDatabase(name)
  }
  // It makes its table.
  await (await startLogProcess(postgres.clientConfig(log), 0)).kill()
  const app = postgres.clientConfig(draft)
  await migrate(app)
  const pool = new pg.Pool(app)
  try {
    const keys = createKeyRing(pool, MASTER_KEY)
    // All at once: a key at a time would be a transaction for each member.
    const everybody = Array.from({ length: members }, (_, n) => memberOf(n))
    if (sealed) await keys.ensure(everybody, () => undefined)
    await generate(postgres.clientConfig(log), createCodec(keys), sealed, events, members)
  } finally {
    await pool.end()
  }
  await query(postgres, `alter database ${draft} rename to ${kept}`)
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
