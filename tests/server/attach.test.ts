import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../server/config.ts'
import { announce, findRunning, openDataDir, withdraw } from '../../server/data-dir.ts'
import { identityOf } from '../../server/embedded/lifecycle/process-identity.ts'
import { superviseLog } from '../../server/embedded/log/supervise-log.ts'
import { hasCluster, placeCluster } from '../../server/embedded/postgres/placement.ts'
import { openDatabases } from '../../server/embedded/postgres/product-databases.ts'
import { requireProduct, withParts } from '../../server/tools/cli/support/attach.ts'
import { layCluster } from '../support/cluster.ts'
import { tempDir } from '../support/temp-dir.ts'

async function databaseName(config: pg.ClientConfig): Promise<unknown> {
  const client = new pg.Client(config)
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  await client.end()
  return rows[0]?.name
}

async function configWithCluster() {
  const config = loadConfig({ DATA_DIR: join(tempDir(), 'data') })
  openDataDir(config.dataDir)
  await layCluster(join(config.dataDir, 'postgres'))
  return config
}

test('a running product is found until it says goodbye, and not after kill -9', () => {
  const dataDir = tempDir()
  expect(findRunning(dataDir)).toBeNull()
  announce(dataDir, { webPort: 3000 })
  announce(dataDir, { webPort: 3000, realtimePort: 3001 })
  expect(findRunning(dataDir)).toEqual({ ...identityOf(process.pid), webPort: 3000, realtimePort: 3001 })
  expect(statSync(join(dataDir, 'run.json')).mode & 0o777).toBe(0o600)
  withdraw(dataDir)
  expect(findRunning(dataDir)).toBeNull()
  writeFileSync(join(dataDir, 'run.json'), JSON.stringify({ ...identityOf(process.pid), startTime: 'before' }))
  expect(findRunning(dataDir)).toBeNull()
})

test('a data folder that cannot be written is named with what to do', () => {
  const file = join(tempDir(), 'file')
  writeFileSync(file, '')
  expect(() => openDataDir(join(file, 'data'))).toThrow(/^DATA_DIR .+ cannot be written \(ENOTDIR\)/)
})

test('a tool without a running product starts the parts it needs and stops them', async () => {
  const config = loadConfig({ DATA_DIR: join(tempDir(), 'data') })
  const found = await withParts({ need: ['postgres', 'log'], config }, async ({ postgres, log }) => {
    expect(log).toMatch(/^esdb:\/\/127\.0\.0\.1:\d+/)
    return [await databaseName(postgres.app), await databaseName(postgres.log)]
  })
  expect(found).toEqual(['letsbuzz', 'log'])
  const again = await withParts({ need: ['postgres'], config }, ({ postgres }) => databaseName(postgres.app))
  expect(again).toBe('letsbuzz')
})

test('its parts stop also when the work fails', async () => {
  const config = await configWithCluster()
  const fail = () => Promise.reject(new Error('no luck'))
  await expect(withParts({ need: ['postgres'], config }, fail)).rejects.toThrow('no luck')
  await expect(withParts({ need: ['postgres'], config }, async () => 'free')).resolves.toBe('free')
})

test('beside a running product a tool uses its parts, the log in its own process included', async () => {
  const config = await configWithCluster()
  const { app, log, stop } = await openDatabases(config)
  const logProcess = await superviseLog({ database: log, port: config.logPort }, () => undefined)
  const eventstoreUrl = logProcess.report.connectionString
  announce(config.dataDir, { databases: { app, log }, eventstoreUrl })
  const found = await withParts({ need: ['postgres', 'log'], config }, async (parts) => parts)
  expect(found).toMatchObject({ log: eventstoreUrl, postgres: { app, log } })
  expect(logProcess.isUp()).toBe(true)
  expect(await databaseName(found.postgres.app)).toBe('letsbuzz')
  withdraw(config.dataDir)
  await logProcess.stop()
  await stop()
})

const ANOTHER = { uid: 60_999, gid: 60_999, name: 'another', other: true, initdbUid: 65_534 }

test('a folder in a shared place that somebody else could have laid out is no cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'letsbuzz-test-'))
  chmodSync(folder, 0o755)
  const wished = join(folder, 'data', 'postgres')
  const key = createHash('sha256').update(wished).digest('hex').slice(0, 16)
  const planted = join(tmpdir(), `letsbuzz-${key}`)
  onTestFinished(() => {
    for (const made of [folder, planted]) rmSync(made, { recursive: true, force: true })
  })
  mkdirSync(join(planted, 'postgres'), { recursive: true })
  writeFileSync(join(planted, 'postgres', 'PG_VERSION'), '18')
  expect(hasCluster(wished)).toBe(true)
  chmodSync(planted, 0o777)
  expect(hasCluster(wished)).toBe(false)
  expect(placeCluster(wished, ANOTHER)).toEqual({ dataDir: wished })
})

test.runIf(process.getuid?.() === 0).each([
  [
    'a link',
    (own: string, moved: string) => {
      renameSync(own, moved)
      symlinkSync(moved, own)
    },
  ],
  ['a folder that a group may write', (own: string) => chmodSync(own, 0o771)],
])('a cluster in the lasting place that is behind %s is not left for an empty folder', (_, change) => {
  const folder = mkdtempSync(join(tmpdir(), 'letsbuzz-test-'))
  chmodSync(folder, 0o700)
  const wished = join(folder, 'data', 'postgres')
  const { dataDir } = placeCluster(wished, ANOTHER)
  const [own, moved] = [dirname(dataDir), `${folder}-moved`]
  onTestFinished(() => {
    for (const made of [folder, own, moved]) rmSync(made, { recursive: true, force: true })
  })
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'PG_VERSION'), '18')
  change(own, moved)
  chmodSync(folder, 0o755)
  expect(hasCluster(wished)).toBe(true)
  expect(() => placeCluster(wished, ANOTHER)).toThrow(`${own} holds the data`)
})

test('a product whose cluster stands elsewhere, since its account cannot enter the data folder, is one', () => {
  const folder = tempDir()
  chmodSync(folder, 0o700)
  const config = loadConfig({ DATA_DIR: join(folder, 'data') })
  expect(() => requireProduct(config)).toThrow(/^There is no product in/)
  const { dataDir } = placeCluster(join(config.dataDir, 'postgres'), ANOTHER)
  onTestFinished(() => rmSync(dirname(dataDir), { recursive: true, force: true }))
  expect(dataDir.startsWith(folder)).toBe(false)
  expect(() => requireProduct(config)).toThrow(/^There is no product in/)
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'PG_VERSION'), '18')
  requireProduct(config)
})
