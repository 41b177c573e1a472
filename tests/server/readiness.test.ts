import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../server/config.ts'
import { superviseLog } from '../../server/embedded/log/supervise-log.ts'
import { startPostgres } from '../../server/embedded/postgres/launcher.ts'
import { createProduct } from '../../server/product.ts'
import { createLogger } from '../../services/log.ts'
import { descendantsOf, freePort } from '../drills/program-child.ts'
import { layCluster } from '../support/cluster.ts'
import { serveWeb } from '../support/described/serve-web.ts'
import { noNews } from '../support/recorded.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

type Readiness = { status: number; away: string[] }
const AGAIN_MS = 30_000

/** A product on an embedded Postgres and a log process of its own, as `npm start` has them. */
async function startAll() {
  const dataDir = join(tempDir(), 'postgres')
  await layCluster(dataDir)
  const postgres = await startPostgres({ dataDir, fast: true })
  onTestFinished(() => postgres.stop())
  await Promise.all([postgres.createDatabase('app'), postgres.createDatabase('log')])
  const log = await superviseLog({ database: postgres.clientConfig('log'), port: 0 }, () => undefined)
  onTestFinished(() => log.stop())
  const { connectionString } = log.report
  const secrets = { masterKey: Buffer.alloc(32, 7), emailPepper: 'p'.repeat(32), mediaSecret: 'm'.repeat(32) }
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const config = { ...loadConfig({}), dataDir: tempDir(), port, roles: new Set(['realtime', 'projector'] as const) }
  const common = { config, publicUrl, now: () => new Date(), logger: createLogger({ level: 'silent' }) }
  const stores = { database: postgres.clientConfig('app'), log: connectionString, secrets }
  const product = await createProduct({ ...common, stores, logIsUp: log.isUp })
  onTestFinished(() => product.stop())
  await product.start()
  const http = await serveWeb({ ...common, product, port })
  onTestFinished(() => http.close())
  return { postgres, log, product, url: publicUrl }
}

async function readiness(url: string): Promise<Readiness> {
  const answer = await fetch(`${url}/readyz`)
  const { roles } = (await answer.json()) as { roles: { role: string; ready: boolean }[] }
  return { status: answer.status, away: roles.filter(({ ready }) => !ready).map(({ role }) => role) }
}

async function isReady(url: string): Promise<boolean> {
  return (await readiness(url)).status === 200
}

test('while the log or Postgres is away, readiness names it; they are started again, and all works', async () => {
  const { postgres, log, product, url } = await startAll()
  expect(await readiness(url)).toEqual({ status: 200, away: [] })

  // Frozen first: one that dies at once may be back before anybody looks.
  const frozen = log.pid() as number
  process.kill(frozen, 'SIGSTOP')
  expect(await until('the log is away', async () => away(await readiness(url)))).toEqual(['log'])
  process.kill(frozen, 'SIGKILL')
  await until('it is back', () => isReady(url), AGAIN_MS)

  const dead = postgres.pid
  const backends = descendantsOf(dead)
  for (const pid of backends) process.kill(pid, 'SIGSTOP')
  // The log stands on Postgres and may be the first to report that.
  await until('Postgres is away', async () => (await readiness(url)).away.includes('postgres'))
  for (const pid of [dead, ...backends]) process.kill(pid, 'SIGKILL')
  await until('it is back', () => isReady(url), AGAIN_MS)
  expect(postgres.pid).not.toBe(dead)

  const { position } = await product.core.log.append('thing-1', 'no_stream', [noNews()])
  await until('the read models go on', () => product.caughtUp(position), AGAIN_MS)
  expect(await readiness(url)).toEqual({ status: 200, away: [] })
})

const away = ({ status, away: roles }: Readiness) => status === 503 && roles
