import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createLogger, type Logger } from '../services/log.ts'
import { type Config, loadConfig } from './config.ts'
import { openDataDir, type ProductDatabases } from './data-dir.ts'
import { gracefulStop, type StopStep } from './embedded/lifecycle/graceful-stop.ts'
import { onKeeperGone } from './embedded/lifecycle/restart-program.ts'
import { ECHO_OF_NPM_MS } from './embedded/lifecycle/stop-signals.ts'
import { logSecret } from './embedded/log/log-secret.ts'
import { superviseLog } from './embedded/log/supervise-log.ts'
import { openDatabases } from './embedded/postgres/product-databases.ts'
import { refuseRoot } from './embedded/refuse-root.ts'
import { findPort } from './http/free-port.ts'
import { refuseWhileRestoring } from './process-lock.ts'
import { ROOT } from './root.ts'
import { openSecrets } from './secrets.ts'
import type { Flags, OpenStores, Running, Up } from './serve.ts'
import { refuseHalfRestored } from './tools/backup/half-restored.ts'
import { buildPages } from './tools/build/pages.ts'
import { runCommand } from './tools/cli/support/command.ts'
import { loggerLevel } from './workers/log-level.ts'

const HELP = `
LetsBuzz: the whole product in one command.

  npm start                 builds what changed, starts everything, fills a demo world at the first start
  npm start -- --no-demo    the same without the demo world
  npm run dev               the same with hot reload

Settings come from the environment; .env.example lists them.`

const DEV_ALONE = 'WEB_WORKERS is for the built product: with --dev one process serves everything.'
const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Brings the parts up one after the other; whatever fails or interrupts, those that are up go down again. */
async function run(config: Config, flags: Flags): Promise<void> {
  const logger = createLogger({ level: loggerLevel(config.logLevel) })
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

async function start(config: Config, flags: Flags, logger: Logger, running: Running): Promise<void> {
  const startedAt = performance.now()
  const port = await findPort(config.port, config.host)
  refuseRoot(config)
  openDataDir(config.dataDir)
  refuseHalfRestored(config.dataDir)
  const secrets = openSecrets(config)
  print('LetsBuzz is starting …')
  const begun = signal()
  const opening = openPostgres(config, running.up, begun.give)
  const waking = startLog(
    config,
    opening.then(({ log }) => log),
    logger,
    running.up,
  )
  const pages = config.roles.has('web') && !flags.dev
  const building = pages ? buildPages(ROOT, true, () => print('Building the pages …')) : Promise.resolve()
  const before = { begun: begun.given, building, opening }
  const loading = loadCode(before, pages && config.webWorkers === 1)
  const [{ serve }, databases, log] = await Promise.all([loading, opening, waking])
  await serve({ config, flags, logger, running, port, secrets, startedAt, print, databases, log })
}

function signal(): { give(): void; given: Promise<void> } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { give: () => give(), given }
}

type Before = { begun: Promise<void>; building: Promise<unknown>; opening: Promise<unknown> }

/**
 * Most of the code, which nothing else of this process goes on beside: while Postgres comes up, and that of the pages
 * while the log does.
 */
async function loadCode({ begun, building, opening }: Before, pages: boolean) {
  await Promise.race([begun, opening])
  const code = await import('./serve.ts')
  await Promise.all([building, opening])
  await setImmediate()
  if (pages) await code.readBuiltPages(join(ROOT, 'build'))
  return code
}

/** `begun` is called as soon as it is waited for. */
async function openPostgres(config: Config, up: Up, begun: () => void): Promise<OpenStores['databases']> {
  const databases = await openDatabases(config, (level, text) => level !== 'debug' && print(text), begun)
  up('Postgres', databases.stop)
  await refuseWhileRestoring(databases.app)
  return databases
}

async function startLog(
  config: Config,
  database: Promise<ProductDatabases['log']>,
  logger: Logger,
  up: Up,
): Promise<OpenStores['log']> {
  if (config.eventstoreUrl !== null) return { connectionString: config.eventstoreUrl, isUp: () => true }
  const own = { port: config.logPort, ...config.logListen, secret: logSecret(config.dataDir) }
  const settings = database.then((there) => ({ database: there, ...own }))
  const child = await superviseLog(settings, (level, text) => logger[level](text, { role: 'log' }))
  up('the log', () => child.stop())
  return { connectionString: child.report.connectionString, isUp: child.isUp }
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
