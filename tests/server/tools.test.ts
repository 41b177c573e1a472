import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countAccounts } from '../../projections/accounts/queries.ts'
import { loadConfig } from '../../server/config.ts'
import { announce, openDataDir, withdraw } from '../../server/data-dir.ts'
import { DEMO_LOGIN } from '../../server/demo/login.ts'
import { seedDemoWorld } from '../../server/demo/world.ts'
import { superviseLog } from '../../server/embedded/log/supervise-log.ts'
import { openDatabases } from '../../server/embedded/postgres/product-databases.ts'
import { createProduct } from '../../server/product.ts'
import { openSecrets } from '../../server/secrets.ts'
import { administer } from '../../server/tools/admin/commands.ts'
import { withProduct } from '../../server/tools/cli/support/with-product.ts'
import { createLogger } from '../../services/log.ts'
import { layCluster } from '../support/cluster.ts'
import { tempDir } from '../support/temp-dir.ts'
import { runTool, runToolHere } from '../support/tool.ts'
import { drawnSmall } from './demo/small-pictures.ts'

test('the tools explain themselves, and a wrong call ends with 2 before anything starts', async () => {
  const DATA_DIR = join(tempDir(), 'never')
  const [help, seedHelp, bogus, around] = await Promise.all([
    runToolHere('admin', ['--help'], { DATA_DIR }),
    runToolHere('seed', ['--help'], { DATA_DIR }),
    runToolHere('admin', ['frobnicate'], { DATA_DIR }),
    runToolHere('seed', ['--around', '38.72'], { DATA_DIR }),
  ])
  expect([help.code, seedHelp.code]).toEqual([0, 0])
  expect(help.out).toContain('Usage: npm run admin')
  expect(seedHelp.out).toContain('Usage: npm run seed')
  expect([bogus.code, around.code]).toEqual([2, 2])
  expect(bogus.err).toContain('There is no command "frobnicate".')
  expect(around.err).toContain('--around wants a latitude and a longitude')
})

test('an option that a command has no use for is a wrong call', async () => {
  const calls = [
    ['projections', 'drop', 'notifications', '--dry-run'],
    ['projections', 'status', '--all'],
    ['projections', 'rebuild', 'discover', '--all'],
    ['history', 'verify', '--at', '2026-01-01T00:00Z'],
    ['backup', 'verify', 'one', '--force'],
  ] as const
  const DATA_DIR = join(tempDir(), 'never')
  const ran = calls.map(([tool, ...words]) => runToolHere(tool, words, { DATA_DIR }))
  expect((await Promise.all(ran)).map(({ code, err }) => [code, err.split('\n')[0]])).toEqual([
    [2, 'drop takes no --dry-run.'],
    [2, 'status takes no --all.'],
    [2, 'Names, or --all: not both.'],
    [2, 'verify takes no --at.'],
    [2, 'verify takes no --force.'],
  ])
})

test('tools that only look begin no product where none is', async () => {
  const DATA_DIR = join(tempDir(), 'mistyped')
  const calls = [
    runToolHere('admin', ['find', 'ann@example.com'], { DATA_DIR }),
    runToolHere('history', ['ann@example.com'], { DATA_DIR }),
    runToolHere('history', ['verify'], { DATA_DIR }),
    runToolHere('projections', ['status'], { DATA_DIR }),
    runToolHere('log', ['scavenge'], { DATA_DIR }),
    runToolHere('backup', ['create', join(tempDir(), 'one')], { DATA_DIR }),
  ]
  for (const { code, out, err } of await Promise.all(calls)) {
    expect([code, out, err]).toEqual([1, '', `There is no product in ${DATA_DIR}. DATA_DIR names the folder of one.\n`])
  }
  expect(existsSync(DATA_DIR)).toBe(false)
})

test('the demo world stays out of production mode', async () => {
  const { code, err } = await runToolHere('seed', ['--members', '1'], { DATA_DIR: tempDir(), APP_MODE: 'production' })
  expect(code).toBe(1)
  expect(err).toContain('The demo world exists in local mode alone')
})

test('without a running product, seed and admin start what they need', async () => {
  const DATA_DIR = join(tempDir(), 'data')
  openDataDir(DATA_DIR)
  await layCluster(join(DATA_DIR, 'postgres'))
  const seeded = await runTool('seed', ['--members', '1', '--around', '-33.87,151.21'], { DATA_DIR })
  expect(seeded).toMatchObject({ code: 0 })
  expect(seeded.out).toContain('0 members are there already')
  expect(seeded.out).toContain(`Demo login: ${DEMO_LOGIN.email} with the password ${DEMO_LOGIN.password}`)
  const found = await runTool('admin', ['find', DEMO_LOGIN.email], { DATA_DIR })
  expect(found).toMatchObject({ code: 0 })
  expect(found.out).toMatch(/^[0-9a-z]{24}: active, synthetic/)
  const nobody = await runToolHere('admin', ['find', 'nobody@example.com'], { DATA_DIR })
  expect(nobody).toMatchObject({ code: 1, out: '' })
})

test('beside a running product they work on its log, and it shows what they did', async () => {
  const config = loadConfig({ DATA_DIR: join(tempDir(), 'data') })
  openDataDir(config.dataDir)
  await layCluster(join(config.dataDir, 'postgres'))
  const { app, log, stop } = await openDatabases(config)
  onTestFinished(stop)
  const server = await superviseLog({ database: log, port: 0 }, () => undefined)
  onTestFinished(() => server.stop())
  const logger = createLogger({ level: 'silent' })
  const stores = { database: app, log: server.report.connectionString, secrets: openSecrets(config) }
  const now = () => new Date()
  const product = await createProduct({ stores, config, publicUrl: 'http://localhost', now, logger })
  await product.start()
  onTestFinished(() => product.stop())
  announce(config.dataDir, { databases: { app, log }, eventstoreUrl: server.report.connectionString })
  onTestFinished(() => withdraw(config.dataDir))
  const made = await withProduct(({ core, services, projector }) => {
    expect(projector).toBeNull()
    return seedDemoWorld({ core, services: drawnSmall(services), now }, { members: 2 })
  }, config)
  expect(made.members).toBe(2)
  expect(await countAccounts(product.core.storage.read)).toEqual({ members: 0, demo: 2 })
  const find = { words: ['find', DEMO_LOGIN.email], yes: false }
  expect((await withProduct((one) => administer(one, find), config))[0]).toMatch(/: active, synthetic$/)
})
