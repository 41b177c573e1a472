import { join } from 'node:path'
import { startLogServer } from '../../../../eventstore/embedded/server.ts'
import { type Config, loadConfig } from '../../../config.ts'
import { findRunning, openDataDir, type ProductDatabases, type Running } from '../../../data-dir.ts'
import { logSecret } from '../../../embedded/log/log-secret.ts'
import type { PostgresLog } from '../../../embedded/postgres/launcher.ts'
import { hasCluster } from '../../../embedded/postgres/placement.ts'
import { openDatabases } from '../../../embedded/postgres/product-databases.ts'
import { refuseRoot } from '../../../embedded/refuse-root.ts'
import { refuseWhileRestoring } from '../../../process-lock.ts'
import { refuseHalfRestored } from '../../backup/half-restored.ts'

type AllParts = {
  postgres: ProductDatabases
  /** `esdb://` address. */
  log: string
}
export type PartName = keyof AllParts
export type Parts<Name extends PartName> = Pick<AllParts, Name> & { config: Config }

type Need<Name extends PartName> = {
  need: readonly Name[]
  config?: Config
  postgresLog?: PostgresLog
}

/** Throws where half of a product is, or none was ever kept: a tool that only looks would else begin one. */
export function requireProduct({ databaseUrl, dataDir }: Config): void {
  refuseHalfRestored(dataDir)
  if (databaseUrl === null && !hasCluster(join(dataDir, 'postgres')))
    throw new Error(`There is no product in ${dataDir}. DATA_DIR names the folder of one.`)
}

/**
 * Runs `work` with the parts it needs: those that the environment names, else those of the product that runs on the
 * data folder, else parts of its own, which stop afterwards. Answers what `work` answers.
 */
export async function withParts<Name extends PartName, T>(
  { need, config = loadConfig(process.env), postgresLog = logToStderr }: Need<Name>,
  work: (parts: Parts<Name>) => Promise<T>,
): Promise<T> {
  refuseRoot(config)
  openDataDir(config.dataDir)
  const stops: (() => Promise<void>)[] = []
  try {
    return await work({ config, ...(await gather(new Set<PartName>(need), config, postgresLog, stops)) } as Parts<Name>)
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

async function gather(
  need: ReadonlySet<PartName>,
  config: Config,
  postgresLog: PostgresLog,
  stops: (() => Promise<void>)[],
): Promise<Partial<AllParts>> {
  const running = findRunning(config.dataDir)
  const parts: Partial<AllParts> = {}
  const log = config.eventstoreUrl ?? running?.eventstoreUrl
  if (need.has('postgres') || (need.has('log') && !log))
    parts.postgres = await databases(config, running, postgresLog, stops)
  if (log) parts.log = log
  else if (need.has('log') && parts.postgres) {
    await refuseWhileRestoring(parts.postgres.app)
    const server = await startLogServer({ database: parts.postgres.log, secret: logSecret(config.dataDir) })
    stops.push(() => server.stop())
    parts.log = server.connectionString
  }
  return parts
}

async function databases(
  config: Config,
  running: Running | null,
  postgresLog: PostgresLog,
  stops: (() => Promise<void>)[],
): Promise<ProductDatabases> {
  if (config.databaseUrl === null && running?.databases) return running.databases
  const { app, log, stop } = await openDatabases(config, postgresLog)
  stops.push(stop)
  return { app, log }
}

const logToStderr: PostgresLog = (level, text) => {
  if (level !== 'debug') process.stderr.write(`${text}\n`)
}
