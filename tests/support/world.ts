import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type pg from 'pg'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { type Config, loadConfig } from '../../server/config.ts'
import { createToolPorts } from '../../server/ports.ts'
import { createProduct } from '../../server/product.ts'
import { buildPages } from '../../server/tools/build/pages.ts'
import { ledgerPathOf } from '../../services/erased-ledger.ts'
import { takeUp } from '../../services/jobs/take-up.ts'
import { createLogger, type Logger } from '../../services/log.ts'
import type { WorkerLimits } from '../../services/media/workers/limits.ts'
import type { InTurn } from '../../services/queue.ts'
import { serveWeb } from './described/serve-web.ts'
import { logTemplate } from './log.ts'
import { testDatabase } from './postgres.ts'
import { mediaProgram } from './programs/media-program.ts'
import { databaseUrl } from './servers/database-url.ts'
import { makeTempDir } from './temp-folder.ts'
import { productTemplate } from './templates/product.ts'
import { createPeople, type Person } from './world-people.ts'

export type WorldOptions = {
  /** Rates as in production; lifted when absent, so that tests set up what they like. */
  rateLimits?: boolean
  now?: () => Date
  /** Pages as well as services; without it no build is made. */
  web?: boolean
  config?: Partial<Config>
  /** From empty databases, as a first start finds them. */
  fresh?: boolean
  /** In this process when absent. */
  startLog?: (given: { database: pg.ClientConfig }) => Promise<{ connectionString: string; stop(): Promise<void> }>
  /** Lines are dropped when absent. */
  logger?: Logger
  mediaLimits?: Partial<WorkerLimits>
  /** As many passwords are compared at once as in production when absent. */
  hashTurns?: InTurn
}

/**
 * A new job is taken at once; a retry within two seconds of when it is due, since each look costs as much as a page. A sweep at any full ten
 * minutes would meet what a test has set up by halves.
 */
export const JOB_TIMES = { pollMs: 2_000, recurs: false }

let pages: Promise<unknown> | undefined
/** Looked at once in a process: what they are built from is every source there is. */
const pagesBuilt = () => {
  pages ??= buildPages(resolve(import.meta.dirname, '../..'), true)
  return pages
}

/** The whole product in this process, on a port, a database and a log of its own. */
export async function startWorld({
  rateLimits = false,
  now = () => new Date(),
  web = true,
  config: overrides = {},
  fresh = false,
  startLog = startLogServer,
  logger = createLogger({ level: 'silent' }),
  mediaLimits = {},
  hashTurns,
}: WorldOptions = {}) {
  const dataDir = makeTempDir('letsbuzz-world-')
  const [app, logDatabase, port] = await Promise.all([
    testDatabase(fresh ? {} : { template: productTemplate }),
    testDatabase(fresh ? {} : { template: logTemplate }),
    freePort(),
    web ? pagesBuilt() : undefined,
  ])
  const log = await startLog({ database: logDatabase.config })
  const publicUrl = `http://localhost:${port}`
  const secrets = {
    masterKey: randomBytes(32),
    emailPepper: randomBytes(32).toString('hex'),
    mediaSecret: randomBytes(32).toString('hex'),
  }
  const config = { ...loadConfig({}), dataDir, port, rateLimits, ...overrides }
  const stores = { database: app.config, log: log.connectionString, secrets }
  const shared = hashTurns ? { hashTurns } : {}
  const product = await createProduct({
    stores,
    config,
    publicUrl,
    now,
    logger,
    mediaLimits: { program: mediaProgram(), ...mediaLimits },
    shared,
    jobTimes: JOB_TIMES,
  })
  await product.start()
  const http = web ? await serveWeb({ product, config, port, publicUrl, now, logger }) : null
  const context = createToolPorts(product.core, product.services, now)
  const people = createPeople(context, product, dataDir)

  /** Every read model and every push has caught up with the log. */
  async function settled(): Promise<void> {
    const head = await product.core.log.head()
    if (!(await product.caughtUp(head, undefined, 20_000))) throw new Error('The read models did not catch up.')
  }

  return {
    url: publicUrl,
    product,
    core: product.core,
    services: product.services,
    read: product.core.storage.read,
    context,
    secrets,
    stores,
    settled,
    publicUrl,
    dataDir,
    config,
    logDatabase: logDatabase.config,
    ...people,
    /** A member with two pictures, signed in, settled. */
    async member(name: string, details?: Parameters<typeof people.join>[1]): Promise<Person> {
      const person = await people.join(name, details)
      await settled()
      return person
    },
    /** A call with this member's bearer token. */
    api: (path: string, { as, ...init }: RequestInit & { as?: Person } = {}) =>
      fetch(`${publicUrl}/api${path}`, {
        ...init,
        headers: {
          ...(init.body ? { 'Content-Type': 'application/json' } : {}),
          ...(as && { Authorization: `Bearer ${as.token}` }),
          ...init.headers,
        },
      }),
    /** A page as this member's browser asks for it, without following redirects. */
    page: (path: string, { as, ...init }: RequestInit & { as?: Person } = {}) =>
      fetch(`${publicUrl}${path}`, {
        redirect: 'manual',
        ...init,
        headers: {
          ...(as && { Cookie: as.cookie }),
          ...(init.method && init.method !== 'GET' && { Origin: publicUrl }),
          ...init.headers,
        },
      }),
    /** The newest mail to an address, of those with such a subject. */
    mail: async (to: string, about = /^/) =>
      (await product.mailbox?.list({ to }))?.find(({ subject }) => about.test(subject)) ?? null,
    newCommand: () => randomUUID(),
    /** Has every job looked at that waits, as after a clock was set ahead: the database has its own. */
    async hurryJobs(): Promise<void> {
      await takeUp(product.core.storage.pool)
      await product.core.storage.pool.query(
        'select job.reschedule_jobs(array(select id from job.jobs where locked_at is null), run_at := now())',
      )
    },
    async stop(): Promise<void> {
      await product.endSockets()
      await http?.close()
      await product.stop()
      await log.stop()
      await Promise.all([app.drop(), logDatabase.drop(), rm(dataDir, { recursive: true, force: true })])
      await rm(ledgerPathOf(dataDir), { force: true })
    },
  }
}
export type World = Awaited<ReturnType<typeof startWorld>>

/** What another process needs in its environment to work on the stores of a world. */
export function environmentOf({ stores, secrets }: World): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl(stores.database),
    EVENTSTORE_URL: stores.log,
    MASTER_KEY: secrets.masterKey.toString('base64'),
    EMAIL_PEPPER: secrets.emailPepper,
    MEDIA_SECRET: secrets.mediaSecret,
  }
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}
