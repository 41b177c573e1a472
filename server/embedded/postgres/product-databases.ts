import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { ProductDatabases } from '../../data-dir.ts'
import { CONNECTIONS, type Postgres, type PostgresLog, startPostgres } from './launcher.ts'

const APP_DATABASE = 'letsbuzz'
const LOG_DATABASE = 'log'
/** The pools of one more process (`server/storage.ts`), its lock and its bus. */
const CONNECTIONS_OF_WORKER = 48

export type OpenDatabases = ProductDatabases & {
  /** Null when `DATABASE_URL` names a server. */
  postgres: Postgres | null
  stop(): Promise<void>
}

/** The product's databases: at `DATABASE_URL` (one for both), else two in the embedded Postgres, which this starts. */
export async function openDatabases(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'webWorkers'>>,
  log?: PostgresLog,
): Promise<OpenDatabases> {
  if (config.databaseUrl !== null) {
    const there = { connectionString: config.databaseUrl }
    return { app: there, log: there, postgres: null, stop: async () => {} }
  }
  const { dataDir, webWorkers = 1 } = config
  const connections = CONNECTIONS + (webWorkers > 1 ? webWorkers * CONNECTIONS_OF_WORKER : 0)
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), connections, ...(log && { log }) })
  try {
    await postgres.createDatabase(APP_DATABASE)
    await postgres.createDatabase(LOG_DATABASE)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  const { clientConfig, stop } = postgres
  return { app: clientConfig(APP_DATABASE), log: clientConfig(LOG_DATABASE), postgres, stop }
}
