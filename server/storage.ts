import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { migrateToLatest } from '../migrations/index.ts'
import type { ReadDb } from '../projections/projection.ts'
import type { ReadSchema } from '../projections/schema.ts'
import { type AppDb, numberTypes, openAppDb } from '../services/app-db.ts'
import { makeJobSchema } from '../services/jobs/job-schema.ts'
import { CONNECT_MS } from '../services/postgres/answered-in-time.ts'
import { preparingClient } from '../services/prepared.ts'
import { enginePool, lookPool, quiet, shortPool } from '../services/quiet-pool.ts'
import { type ProcessLockOptions, shareProcessLock } from './process-lock.ts'

/** The product's handles on one database: services see schema `app`, queries schema `read`, the engine its pool. */
export type Storage = {
  readonly app: AppDb
  readonly read: ReadDb
  /** For keys, snapshots, effects and the projection engine. What may take long takes a connection of its own (`enginePool`). */
  readonly pool: pg.Pool
  /** A connection of its own for whether Postgres answers: others may all wait for a table that is locked. */
  readonly look: Pick<pg.Pool, 'query'>
  close(): Promise<void>
}

const ENGINE_CONNECTIONS = 16
const READ_CONNECTIONS = 10

/** `silentMs`: how long a look-up may be without an answer; tests lower it. */
type StorageOptions = ProcessLockOptions & { readonly silentMs?: number }

/**
 * Opens the database and brings schema `app` up to date. Throws while a restore replaces what is in it; one that begins
 * while the connection is away closes these handles, so that nothing is written beside it.
 */
export async function openStorage(
  config: pg.ClientConfig,
  { onRestore, onAway, name, silentMs }: StorageOptions = {},
): Promise<Storage> {
  const lock = await shareProcessLock(config, {
    ...(onAway && { onAway }),
    ...(name !== undefined && { name }),
    onRestore(error) {
      closeHandles().catch(() => undefined)
      onRestore?.(error)
    },
  })
  const pool = enginePool({ ...config, max: ENGINE_CONNECTIONS, types: numberTypes }, silentMs)
  const readPool = shortPool({
    ...config,
    max: READ_CONNECTIONS,
    options: '-c search_path=read',
    types: numberTypes,
    Client: preparingClient(),
  })
  const look = lookPool(config, silentMs)
  const app = openAppDb(config)
  const read = new Kysely<ReadSchema>({ dialect: new PostgresDialect({ pool: readPool }) })
  let closing: Promise<unknown> | undefined
  function closeHandles(): Promise<unknown> {
    closing ??= Promise.all([app.destroy(), readPool.end(), pool.end(), look.end()])
    return closing
  }
  try {
    await migrate(config)
    await lock.look()
  } catch (error) {
    await closeHandles()
    await lock.release()
    throw error
  }
  return {
    app,
    read,
    pool,
    look,
    async close() {
      await closeHandles()
      await lock.release()
    },
  }
}

async function migrate(config: pg.ClientConfig): Promise<void> {
  const pool = quiet(new pg.Pool({ ...config, max: 2, connectionTimeoutMillis: CONNECT_MS }))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrateToLatest(db)
    await makeJobSchema(pool)
  } finally {
    await db.destroy()
  }
}
