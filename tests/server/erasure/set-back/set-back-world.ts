import { cpSync, existsSync, rmSync } from 'node:fs'
import pg from 'pg'
import type { MemberId } from '../../../../domain/shared/ids.ts'
import type { Position } from '../../../../domain/shared/recorded.ts'
import { startLogServer } from '../../../../eventstore/embedded/server.ts'
import { fromPosition } from '../../../../eventstore/position.ts'
import { listRebuilding, withRebuildLock } from '../../../../projections/engine/care/rebuild-lock.ts'
import { type Config, loadConfig } from '../../../../server/config.ts'
import { createProduct, type Product } from '../../../../server/product.ts'
import { erasingOf } from '../../../../server/tools/erasure/erasing.ts'
import { ledgerPathOf } from '../../../../services/erased-ledger.ts'
import { createLogger } from '../../../../services/log.ts'
import { quiet } from '../../../../services/quiet-pool.ts'
import { eraseAccount } from '../../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../../usecases/identity/finish-erasure.ts'
import { runIn } from '../../../support/fresh-database.ts'
import { type TestDatabase, testDatabase } from '../../../support/postgres.ts'
import { makeTempDir } from '../../../support/temp-folder.ts'
import { until } from '../../../support/until.ts'
import { JOB_TIMES, startWorld, type World } from '../../../support/world.ts'

type Started = Awaited<ReturnType<typeof startLogServer>>

export type SetBackWorld = {
  readonly world: World
  /** Of the product's database, also while no product runs. */
  readonly pool: pg.Pool
  /** The product and its log stop, and the log is without what came after a position. */
  setBack(to: Position): Promise<void>
  /** The next product on this log; the one before has stopped. */
  start(roles: Config['roles']): Promise<Product>
  /** All of it stops; what is left of it begins as often as a test wants, each time on copies of its own. */
  leave(): Promise<() => Promise<LeftWorld>>
  stop(): Promise<void>
}

/** Databases and a folder as a world has left them. */
export type LeftWorld = Pick<SetBackWorld, 'pool' | 'start' | 'stop'> & { readonly dataDir: string }

export const rolesBut = (...roles: string[]): Config['roles'] =>
  new Set([...loadConfig({}).roles].filter((one) => !roles.includes(one)))

/** A world whose log can be set back behind its product. */
export async function startSetBackWorld(config: Partial<Config> = {}): Promise<SetBackWorld> {
  let server!: Started
  const startLog = async (given: Parameters<typeof startLogServer>[0]) => {
    server = await startLogServer(given)
    return server
  }
  const world = await startWorld({ web: false, startLog, config })
  const { stores, config: used, publicUrl, logDatabase } = world
  const pool = quiet(new pg.Pool(stores.database))
  const products = oneAfterOther((roles) =>
    startProduct({ ...stores, log: server.connectionString }, { ...used, roles }, publicUrl),
  )
  return {
    world,
    pool,
    async setBack(to) {
      await world.product.endSockets()
      await world.product.stop()
      await server.stop()
      const end = Number(fromPosition(to).commit)
      await runIn(logDatabase, `delete from log.event where position > ${end}`)
      await runIn(logDatabase, `delete from log.stream where born > ${end}`)
      server = await startLogServer({ database: logDatabase })
    },
    start: products.start,
    async leave() {
      await products.stop()
      await server.stop()
      await pool.end()
      return () => copyOf(world)
    },
    async stop() {
      await products.stop()
      await server.stop()
      if (!pool.ended) await pool.end()
      await world.stop()
    },
  }
}

/** Products on the same stores: each stops before the next one starts. */
function oneAfterOther(begin: (roles: Config['roles']) => Promise<Product>) {
  let product: Product | undefined
  return {
    async start(roles: Config['roles']): Promise<Product> {
      await product?.stop()
      product = await begin(roles)
      return product
    },
    stop: async () => product?.stop(),
  }
}

async function startProduct(stores: World['stores'], config: Config, publicUrl: string): Promise<Product> {
  const logger = createLogger({ level: 'silent' })
  const product = await createProduct({ stores, config, publicUrl, logger, now: () => new Date(), jobTimes: JOB_TIMES })
  await product.start()
  return product
}

async function copyOf({ stores, logDatabase, dataDir: from, config, publicUrl }: World): Promise<LeftWorld> {
  const copies = [stores.database, logDatabase].map(({ database }) => testDatabase({ copyOf: database }))
  const [app, log] = (await Promise.all(copies)) as [TestDatabase, TestDatabase]
  const dataDir = makeTempDir('letsbuzz-left-')
  cpSync(from, dataDir, { recursive: true })
  if (existsSync(ledgerPathOf(from))) cpSync(ledgerPathOf(from), ledgerPathOf(dataDir))
  const server = await startLogServer({ database: log.config })
  const pool = quiet(new pg.Pool(app.config))
  const own = { ...stores, database: app.config, log: server.connectionString }
  const products = oneAfterOther((roles) => startProduct(own, { ...config, dataDir, roles }, publicUrl))
  return {
    pool,
    dataDir,
    start: products.start,
    async stop() {
      await products.stop()
      await server.stop()
      await pool.end()
      await Promise.all([app.drop(), log.drop()])
      for (const path of [dataDir, ledgerPathOf(dataDir)]) rmSync(path, { recursive: true, force: true })
    },
  }
}

export const erase = (of: Product, member: MemberId) =>
  eraseAccount(erasingOf({ ...of, now: () => new Date() }, 'admin:test'), member)

export const erased = (of: Product, member: MemberId) =>
  until('they are erased', () =>
    erase(of, member).then(
      ({ ok }) => ok,
      (error: unknown) => {
        if (error instanceof ErasureIncomplete) return false
        throw error
      },
    ),
  )

export const typesOf = async ({ core }: Pick<Product, 'core'>, member: MemberId): Promise<string[]> =>
  (await core.log.read(`member-${member}`)).map(({ type }) => type)

/** Nobody fills a read model until it is let go. */
export async function keepFromFilling(pool: pg.Pool, name: string): Promise<{ letGo(): Promise<void> }> {
  let release = () => {}
  const kept = new Promise<void>((resolve) => {
    release = resolve
  })
  const locked = withRebuildLock(pool, name, () => kept)
  await until('others may not fill it', async () => (await listRebuilding(pool)).has(name))
  return {
    async letGo() {
      release()
      await locked
    },
  }
}
