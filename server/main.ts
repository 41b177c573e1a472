import { join } from 'node:path'
import { createLogger, errorFields, type Logger } from '../services/log.ts'
import { type Config, loadConfig } from './config.ts'
import { announce, openDataDir, withdraw } from './data-dir.ts'
import { type DemoLogin, findDemoLogin } from './demo/login.ts'
import { refuseDemoLogin } from './demo/refuse-login.ts'
import { DemoRefused } from './demo/refused.ts'
import { gracefulStop, type StopStep } from './embedded/lifecycle/graceful-stop.ts'
import { onKeeperGone, reportReady } from './embedded/lifecycle/restart-program.ts'
import { ECHO_OF_NPM_MS } from './embedded/lifecycle/stop-signals.ts'
import { logSecret } from './embedded/log/log-secret.ts'
import { superviseLog } from './embedded/log/supervise-log.ts'
import { openDatabases } from './embedded/postgres/product-databases.ts'
import { refuseRoot } from './embedded/refuse-root.ts'
import { findPort } from './http/free-port.ts'
import { loadBuiltRemix } from './http/remix.ts'
import { refuseWhileRestoring } from './process-lock.ts'
import { createProduct, type Product } from './product.ts'
import { ROOT } from './root.ts'
import { openSecrets } from './secrets.ts'
import { refuseHalfRestored } from './tools/backup/half-restored.ts'
import { buildPages } from './tools/build/pages.ts'
import { runCommand } from './tools/cli/support/command.ts'
import { startWeb } from './web.ts'
import { countApart } from './workers/apart/apart.ts'
import { loggerLevel } from './workers/log-level.ts'
import { linesTo } from './workers/plain-lines.ts'
import { otherRoles } from './workers/roles.ts'
import { createSharing, type Shared } from './workers/shared/shared.ts'
import { startWorkers } from './workers/start-workers.ts'

const HELP = `
LetsBuzz: the whole product in one command.

  npm start                 builds what changed, starts everything, fills a demo world at the first start
  npm start -- --no-demo    the same without the demo world
  npm run dev               the same with hot reload

Settings come from the environment; .env.example lists them.`

type Flags = { dev: boolean; 'no-demo': boolean }
const DEV_ALONE = 'WEB_WORKERS is for the built product: with --dev one process serves everything.'
const BUILT = join(ROOT, 'build')
const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Brings the parts up one after the other; whatever fails or interrupts, those that are up go down again. */
async function run(config: Config, flags: Flags): Promise<void> {
  const logger = createLogger({ level: loggerLevel(config.logLevel), ...linesTo(process.stdout) })
  const steps: StopStep[] = []
  const stop = gracefulStop(steps, { log: (level, text) => logger[level](text), echoMs: ECHO_OF_NPM_MS })
  const up = (name: string, end: () => Promise<void>) => void steps.push({ name, stop: end })
  onKeeperGone(() => void stop())
  const fail = async (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stop(1)
  }
  await start(config, flags, logger, { up, fail }).catch(fail)
}

type Up = (name: string, end: () => Promise<void>) => void
/** `fail` stops the process by its error, at whatever moment. */
type Running = { readonly up: Up; readonly fail: (error: unknown) => Promise<void> }

async function start(config: Config, flags: Flags, logger: Logger, { up, fail }: Running): Promise<void> {
  const startedAt = performance.now()
  const port = await findPort(config.port, config.host)
  refuseRoot(config)
  openDataDir(config.dataDir)
  refuseHalfRestored(config.dataDir)
  const secrets = openSecrets(config)
  print('LetsBuzz is starting …')
  const pages = config.roles.has('web') && !flags.dev
  const building = pages ? buildPages(ROOT, true, () => print('Building the pages …')) : Promise.resolve()
  // What takes long comes up side by side: a process that was killed is missed.
  const remix = pages && config.webWorkers === 1 ? building.then(() => loadBuiltRemix(BUILT)) : undefined
  for (const begun of [building, remix]) begun?.catch(() => undefined)
  const { databases, log } = await openStores(config, logger, up)
  await building
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const logTable = config.eventstoreUrl === null ? databases.log : undefined
  const stores = { database: databases.app, log: log.connectionString, logTable, secrets }
  const now = () => new Date()
  const mustStop = (error: Error) => void fail(error)
  const sharing = config.webWorkers > 1 ? createSharing() : null
  const own = sharing ? { ...config, roles: otherRoles(config.roles) } : config
  const apart = await countApart({ config, secrets, logger })
  if (apart) up('the shared limits', apart.close)
  const shared: Partial<Shared> = sharing ? { hashTurns: sharing.hashTurns } : (apart?.shared ?? {})
  const options = { stores, config: own, publicUrl, now, logger, logIsUp: log.isUp, mustStop, shared }
  const product = await createProduct(options)
  up('the product', product.stop)
  await refuseDemoLogin(config, () => findDemoLogin(product.services))
  await product.start()
  const settings = { port, publicUrl, database: stores.database, log: stores.log }
  const serve = { product, config, port, publicUrl, now, logger }
  const serving = sharing
    ? await startWorkers({ count: config.webWorkers, settings, sharing, states: product.states, logger })
    : await startWeb({ ...serve, dev: flags.dev, takesCrowds: true, shared, remix: await remix })
  // At once: each has clients that answer nothing, and waits for them up to its limit.
  up('the web port and its sockets', async () => void (await Promise.all([product.endSockets(), serving.close()])))
  announce(config.dataDir, {
    webPort: port,
    eventstoreUrl: log.connectionString,
    databases: { app: databases.app, log: databases.log },
  })
  up('the announcement', async () => withdraw(config.dataDir))
  reportReady()
  const isShown = config.mode === 'local' && config.roles.has('web') && !flags['no-demo']
  const demo = isShown ? startDemoWorld(product, config, up) : null
  // Where another process has the read models, it may come later.
  const goesOn = !demo || !config.roles.has('projector') || (await demo.login)
  if (goesOn) welcome(product, config, publicUrl, Math.round(performance.now() - startedAt))
  await demo?.made
}

/** The log comes up while its database does, and touches none that is being restored. */
async function openStores(config: Config, logger: Logger, up: Up) {
  const opening = openDatabases(config, (level, text) => level !== 'debug' && print(text))
  const usable = opening.then(({ app, log }) => refuseWhileRestoring(app).then(() => log))
  const starting = startLog(config, usable, logger)
  for (const begun of [usable, starting]) begun.catch(() => undefined)
  const databases = await opening
  up('Postgres', databases.stop)
  await usable
  const log = await starting
  if (log.stop) up('the log', log.stop)
  return { databases, log }
}

type LogDatabase = Parameters<typeof superviseLog>[0]['database']
/** `stop` where it is ours. */
type StartedLog = {
  readonly connectionString: string
  readonly isUp: () => boolean
  readonly stop?: () => Promise<void>
}

async function startLog(config: Config, database: LogDatabase, logger: Logger): Promise<StartedLog> {
  const { eventstoreUrl } = config
  if (eventstoreUrl !== null) return { connectionString: eventstoreUrl, isUp: () => true }
  const settings = { database, port: config.logPort, ...config.logListen, secret: logSecret(config.dataDir) }
  const child = await superviseLog(settings, (level, text) => logger[level](text, { role: 'log' }))
  return { connectionString: child.report.connectionString, isUp: child.isUp, stop: () => child.stop() }
}

/** Printed as soon as pages answer, and the demo login works; the rest of a demo world fills up behind it. */
function welcome({ mailbox }: Product, { mode, roles }: Config, url: string, ms: number): void {
  const seconds = (ms / 1000).toFixed(1)
  print(
    roles.has('web')
      ? `\nLetsBuzz is ready at ${url} (${seconds} s)`
      : `\nReady: ${[...roles].join(', ')} (${seconds} s)`,
  )
  if (mode === 'local' && mailbox && roles.has('web'))
    print(`Mail arrives at ${url}/dev/mailbox, for this machine alone`)
  print('Ctrl-C stops it.')
}

/**
 * Made at the first start alone, and completed after an interrupted one; the drawing tools are loaded only then. `login`: it works, or is
 * not to come; false where the program stops before.
 */
function startDemoWorld(
  product: Product,
  { dataDir }: Config,
  up: Up,
): { login: Promise<boolean>; made: Promise<void> } {
  const stopping = new AbortController()
  const { core, services } = product
  let settle: (goesOn: boolean) => void
  const login = new Promise<boolean>((resolve) => {
    settle = resolve
  })
  const make = async () => {
    const { ensureDemoWorld } = await import('./demo/world.ts')
    const deps = { core, services, now: () => new Date(), signal: stopping.signal }
    const greet = ({ email, password }: DemoLogin) => print(`\nDemo login: ${email} with the password ${password}`)
    await ensureDemoWorld({ ...deps, print, greet, dataDir, onLogin: () => settle(true) })
  }
  const made = make()
    .catch((error: unknown) => {
      const why = stopping.signal.aborted
        ? ''
        : ` (${error instanceof DemoRefused ? error.message : errorFields(error).errorName})`
      process.stderr.write(`\nThe demo world is not complete${why}; the next start resumes it.\n`)
    })
    .finally(() => settle(!stopping.signal.aborted))
  up('the demo world', async () => {
    stopping.abort()
    await made
  })
  return { login, made }
}

await runCommand({
  help: HELP,
  options: { dev: { type: 'boolean' }, 'no-demo': { type: 'boolean' } },
  async run({ values }) {
    const flags = { dev: values.dev === true, 'no-demo': values['no-demo'] === true }
    if (!flags.dev) process.env.NODE_ENV = 'production'
    const config = loadConfig(process.env)
    if (flags.dev && config.webWorkers > 1) print(DEV_ALONE)
    await run(flags.dev ? { ...config, webWorkers: 1 } : config, flags)
    return undefined
  },
})
