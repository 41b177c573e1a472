import { rm } from 'node:fs/promises'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { createProduct } from '../../../server/product.ts'
import { createErasedLedger, ledgerPathOf } from '../../../services/erased-ledger.ts'
import { createLogger } from '../../../services/log.ts'
import { testDatabase } from '../../support/postgres.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { JOB_TIMES, type World } from '../../support/world.ts'

/** What a backup is made of, and with. */
export const sourceOf = ({ stores, logDatabase, dataDir, secrets }: World) => ({
  app: stores.database,
  log: logDatabase,
  dataDir,
  masterKey: secrets.masterKey,
  ledger: createErasedLedger(dataDir),
  now: () => new Date(),
})

/** Databases and a folder that hold nothing, as on a new machine with the old one's secrets. */
export async function emptyTarget({ secrets }: World, ledger?: ReturnType<typeof createErasedLedger>) {
  const dataDir = makeTempDir('letsbuzz-restored-')
  const [app, log] = await Promise.all([testDatabase(), testDatabase()])
  return {
    app: app.config,
    log: log.config,
    dataDir,
    masterKey: secrets.masterKey,
    force: false,
    now: () => new Date(),
    ledger: ledger ?? createErasedLedger(dataDir),
    async drop() {
      await Promise.all([app.drop(), log.drop(), rm(dataDir, { recursive: true, force: true })])
      await rm(ledgerPathOf(dataDir), { force: true })
    },
  }
}
export type Target = Awaited<ReturnType<typeof emptyTarget>>

/** The product on what was restored; it has caught up when it answers. */
export async function startOn(target: Target, { secrets, config, publicUrl }: World) {
  const log = await startLogServer({ database: target.log })
  const product = await createProduct({
    stores: { database: target.app, log: log.connectionString, secrets },
    config: { ...config, dataDir: target.dataDir },
    publicUrl,
    now: () => new Date(),
    logger: createLogger({ level: 'silent' }),
    jobTimes: JOB_TIMES,
  })
  await product.start()
  if (!(await product.caughtUp(await product.core.log.head(), undefined, 60_000)))
    throw new Error('It does not catch up.')
  return {
    product,
    async stop() {
      await product.stop()
      await log.stop()
    },
  }
}

type Pool = World['core']['storage']['pool']

/** Every row of every read model, in an order of its own. */
export async function rowsOf(pool: Pool): Promise<string[]> {
  const names = allProjections.flatMap(({ tables }) => tables.map(({ name }) => name))
  const dumps = names.map((name) => pool.query<{ row: string }>(`select t::text as row from read."${name}" t`))
  const all = await Promise.all(dumps)
  return all.flatMap(({ rows }, at) => rows.map(({ row }) => `${names[at]} ${row}`)).sort()
}
