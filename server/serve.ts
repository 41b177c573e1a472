import { errorFields, type Logger } from '../services/log.ts'
import type { Config } from './config.ts'
import { announce, type ProductDatabases, withdraw } from './data-dir.ts'
import type { DemoLogin } from './demo/login.ts'
import { DemoRefused } from './demo/refused.ts'
import { reportReady } from './embedded/lifecycle/restart-program.ts'
import { createProduct, type Product } from './product.ts'
import type { Secrets } from './secrets.ts'
import { startWeb } from './web.ts'
import { countApart } from './workers/apart/apart.ts'
import { otherRoles } from './workers/roles.ts'
import { createSharing, type Shared } from './workers/shared/shared.ts'
import { startWorkers } from './workers/start-workers.ts'

export { readBuiltPages } from './http/remix.ts'

/** Takes part in the stop of the process, in the opposite order of calls. */
export type Up = (name: string, end: () => Promise<void>) => void
/** `fail` stops the process by its error, at whatever moment. */
export type Running = { readonly up: Up; readonly fail: (error: unknown) => Promise<void> }
/** The two stores, once they are up. */
export type OpenStores = {
  readonly databases: ProductDatabases
  readonly log: { readonly connectionString: string; readonly isUp: () => boolean }
}
export type Flags = { readonly dev: boolean; readonly 'no-demo': boolean }

type ServeOptions = OpenStores & {
  readonly config: Config
  readonly flags: Flags
  readonly logger: Logger
  readonly running: Running
  readonly port: number
  readonly secrets: Secrets
  /** When the start began, by `performance.now()`. */
  readonly startedAt: number
  readonly print: (text: string) => void
}

/** What a start does once its stores are up: the roles, the port, the announcement, and the demo world behind it. */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, flags, logger, port, secrets, startedAt, databases, log } = options
  const { up, fail } = options.running
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const logTable = config.eventstoreUrl === null ? databases.log : undefined
  const stores = { database: databases.app, log: log.connectionString, logTable, secrets }
  const now = () => new Date()
  const onRestore = (error: Error) => void fail(error)
  const sharing = config.webWorkers > 1 ? createSharing() : null
  const own = sharing ? { ...config, roles: otherRoles(config.roles) } : config
  const apart = await countApart({ config, secrets, logger })
  if (apart) up('the shared limits', apart.close)
  const shared: Partial<Shared> = sharing ? { hashTurns: sharing.hashTurns } : (apart?.shared ?? {})
  const parts = { stores, config: own, publicUrl, now, logger, logIsUp: log.isUp, onRestore, shared }
  const product = await createProduct(parts)
  up('the product', product.stop)
  await product.start()
  const settings = { port, publicUrl, database: stores.database, log: stores.log }
  const serving = sharing
    ? await startWorkers({ count: config.webWorkers, settings, sharing, states: product.states, logger })
    : await startWeb({ product, config, port, publicUrl, now, logger, dev: flags.dev, takesCrowds: true, shared })
  up('the web port', serving.close)
  up('the sockets', product.endSockets)
  announce(config.dataDir, {
    webPort: port,
    eventstoreUrl: log.connectionString,
    databases: { app: databases.app, log: databases.log },
  })
  up('the announcement', async () => withdraw(config.dataDir))
  welcome(product, options, publicUrl, Math.round(performance.now() - startedAt))
  reportReady()
  if (config.mode === 'local' && config.roles.has('web') && !flags['no-demo']) await showDemoWorld(product, options)
}

/** Printed as soon as pages answer; a demo world fills up behind it. */
function welcome({ mailbox }: Product, { config, print }: ServeOptions, url: string, ms: number): void {
  const { mode, roles } = config
  const seconds = (ms / 1000).toFixed(1)
  print(
    roles.has('web')
      ? `\nLetsBuzz is ready at ${url} (${seconds} s)`
      : `\nReady: ${[...roles].join(', ')} (${seconds} s)`,
  )
  if (mode === 'local' && mailbox && roles.has('web')) print(`Mail arrives at ${url}/dev/mailbox`)
  print('Ctrl-C stops it.')
}

/**
 * Made at the first start alone, and completed after an interrupted one; the drawing tools are loaded only then.
 */
async function showDemoWorld(product: Product, { config, running, print }: ServeOptions): Promise<void> {
  const stopping = new AbortController()
  try {
    const { ensureDemoWorld } = await import('./demo/world.ts')
    const { core, services } = product
    const deps = { core, services, now: () => new Date(), signal: stopping.signal }
    const greet = ({ email, password }: DemoLogin) => print(`\nDemo login: ${email} with the password ${password}`)
    const making = ensureDemoWorld({ ...deps, print, greet, dataDir: config.dataDir })
    running.up('the demo world', async () => {
      stopping.abort()
      await making.catch(() => undefined)
    })
    await making
  } catch (error) {
    const why = stopping.signal.aborted
      ? ''
      : ` (${error instanceof DemoRefused ? error.message : errorFields(error).errorName})`
    process.stderr.write(`\nThe demo world is not complete${why}; the next start resumes it.\n`)
  }
}
