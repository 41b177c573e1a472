import { resolve } from 'node:path'
import { createLogger, errorFields, type Logger } from '../services/log.ts'
import { buildApp } from './cli/build.ts'
import { runCommand } from './cli/support/command.ts'
import { type Config, loadConfig } from './config.ts'
import { announce, openDataDir, withdraw } from './data-dir.ts'
import { gracefulStop, type StopStep } from './lifecycle/graceful-stop.ts'
import { openDatabases } from './postgres/product-databases.ts'
import { createProduct, type Product } from './product.ts'
import { superviseLog } from './roles/supervise-log.ts'
import { openSecrets } from './secrets.ts'
import { startWeb } from './web.ts'

const HELP = `
LetsBuzz: the whole product in one command.

  npm start                 builds what changed, starts everything, makes a demo world at the first start
  npm start -- --no-demo    the same without the demo world
  npm run dev               the same with hot reload

Settings come from the environment; .env.example lists them.`

type Flags = { dev: boolean; 'no-demo': boolean }
const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Brings the parts up one after the other; whatever fails or interrupts, those that are up go down again. */
async function run(config: Config, flags: Flags): Promise<void> {
  const logger = createLogger({ level: config.logLevel === 'silent' ? 'silent' : quietest(config.logLevel) })
  const steps: StopStep[] = []
  const stop = gracefulStop(steps, { log: (level, text) => logger[level](text) })
  const up = (name: string, end: () => Promise<void>) => void steps.push({ name, stop: end })
  try {
    await start(config, flags, logger, up)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stop(1)
  }
}

type Up = (name: string, end: () => Promise<void>) => void

async function start(config: Config, flags: Flags, logger: Logger, up: Up): Promise<void> {
  const startedAt = performance.now()
  openDataDir(config.dataDir)
  const secrets = openSecrets(config)
  const building = config.roles.has('web') && !flags.dev ? buildApp(resolve('.'), true) : Promise.resolve()
  const databases = await openDatabases(config, (level, text) => level !== 'debug' && say(text))
  up('Postgres', databases.stop)
  const log = await startLog(config, databases.log, logger, up)
  await building
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
  const stores = { database: databases.app, log: log.connectionString, secrets }
  const product = await createProduct({ stores, config, publicUrl, now: () => new Date(), logger })
  up('the product', product.stop)
  await product.start()
  const others = () => [{ role: 'log', ready: log.isUp() }]
  const web = { product, config, port: config.port, publicUrl, now: () => new Date(), logger, dev: flags.dev, others }
  if (config.roles.has('web')) {
    const http = await startWeb(web)
    up('the web port', http.close)
  }
  announce(config.dataDir, {
    webPort: config.port,
    eventstoreUrl: log.connectionString,
    databases: { app: databases.app, log: databases.log },
  })
  up('the announcement', async () => withdraw(config.dataDir))
  await welcome(product, config, flags, publicUrl, Math.round(performance.now() - startedAt))
}

async function startLog(
  config: Config,
  database: Parameters<typeof superviseLog>[0]['database'],
  logger: Logger,
  up: Up,
): Promise<{ connectionString: string; isUp: () => boolean }> {
  if (config.eventstoreUrl !== null) return { connectionString: config.eventstoreUrl, isUp: () => true }
  const child = await superviseLog({ database, port: config.logPort }, (level, text) =>
    logger[level](text, { role: 'log' }),
  )
  up('the log', () => child.stop())
  return { connectionString: child.report.connectionString, isUp: child.isUp }
}

async function welcome(product: Product, config: Config, flags: Flags, url: string, ms: number): Promise<void> {
  const login = config.mode === 'local' && !flags['no-demo'] ? await demoWorld(product) : null
  say(`\nLetsBuzz is ready at ${url} (${(ms / 1000).toFixed(1)} s)`)
  if (config.mode === 'local' && product.mailbox) say(`Mail arrives at ${url}/dev/mailbox`)
  if (login) say(`Demo login: ${login.email} with the password ${login.password}`)
  say('Ctrl-C stops it.')
}

/** Made at the first start alone; the drawing tools are loaded only then. */
async function demoWorld(product: Product): Promise<{ email: string; password: string } | null> {
  try {
    const { ensureDemoWorld } = await import('./demo/world.ts')
    return await ensureDemoWorld({ core: product.core, services: product.services, now: () => new Date(), say })
  } catch (error) {
    const { errorName } = errorFields(error)
    process.stderr.write(`The demo world could not be made (${errorName}); the product runs without it.\n`)
    return null
  }
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
function quietest(level: Config['logLevel']): (typeof LEVELS)[number] {
  if (level === 'trace') return 'debug'
  return level === 'fatal' ? 'error' : (level as (typeof LEVELS)[number])
}

await runCommand({
  help: HELP,
  options: { dev: { type: 'boolean' }, 'no-demo': { type: 'boolean' } },
  async run({ values }) {
    const flags = { dev: values.dev === true, 'no-demo': values['no-demo'] === true }
    if (!flags.dev) process.env.NODE_ENV = 'production'
    await run(loadConfig(process.env), flags)
    return undefined
  },
})
