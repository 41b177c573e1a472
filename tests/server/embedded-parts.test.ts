import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigError, loadConfig, loadLogConfig } from '../../server/config.ts'
import { refuseRoot } from '../../server/embedded/refuse-root.ts'
import { ROOT } from '../../server/root.ts'
import { buildPages } from '../../server/tools/build/pages.ts'
import { descendantsOf, freePort, startProgram } from '../drills/program-child.ts'
import { layCluster } from '../support/cluster.ts'
import { tempDir } from '../support/temp-dir.ts'
import { runToolHere } from '../support/tool.ts'

const asRoot = process.getuid?.() === 0

/** What somebody on the same machine tries; prints which attempts came to something. */
const ATTEMPTS = `
const { readFileSync, readdirSync } = require('node:fs')
const { EventStoreDBClient, jsonEvent } = require('@eventstore/db-client')
const pg = require('pg')
const { dataDir, host, password, log } = JSON.parse(process.env.GIVEN)
const pgAt = (more) => async () => {
  const client = new pg.Client({ user: 'letsbuzz', database: 'letsbuzz', ...more })
  await client.connect()
  await client.query('select 1')
}
const logAt = (name, work) => async () => {
  const client = EventStoreDBClient.connectionString(log + name)
  await work(client)
}
const readAll = async (client) => { for await (const _ of client.readAll({ maxCount: 1 })) return }
const attempts = {
  'the socket of Postgres': pgAt({ host }),
  'the socket of Postgres with a guess': pgAt({ host, password: 'letsbuzz' }),
  'the socket of Postgres with the password': pgAt({ host, password }),
  'Postgres by TCP': pgAt({ host: '127.0.0.1', port: 5432, connectionTimeoutMillis: 2000 }),
  'a read of the log': logAt('', readAll),
  'a read with a guess': logAt('&connectionName=letsbuzz', readAll),
  'a forged event': logAt('', (client) => client.appendToStream('member-x', jsonEvent({ type: 'NameChanged', data: {} }))),
  'a stream metadata': logAt('', (client) => client.setStreamMetadata('member-x', { maxCount: 1 })),
  'a deletion': logAt('', (client) => client.deleteStream('member-x')),
  ...Object.fromEntries(['run.json', 'secrets.json', 'log-secret', 'postgres-secret'].map((name) => [name, async () => readFileSync(dataDir + '/' + name)])),
  ...Object.fromEntries(['', '/postgres', '/media'].map((name) => ['a look into ' + name, async () => readdirSync(dataDir + name)])),
}
;(async () => {
  const won = []
  for (const [name, attempt] of Object.entries(attempts)) await attempt().then(() => won.push(name), () => undefined)
  process.stdout.write(JSON.stringify(won))
  process.exit()
})()
`

test.runIf(asRoot)(
  'another account of the machine gets into none of the embedded parts',
  async () => {
    const dataDir = join(tempDir(), 'data')
    mkdirSync(join(dataDir, 'media'), { recursive: true, mode: 0o755 })
    chmodSync(dataDir, 0o711)
    await layCluster(join(dataDir, 'postgres'))
    const program = await startProgram({ dataDir, port: await freePort() })
    onTestFinished(() => program.stop())
    const running = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as {
      eventstoreUrl: string
      databases: { app: { host: string; password: string } }
    }
    const { host, password } = running.databases.app
    const given = { dataDir, host, password, log: running.eventstoreUrl.replace(/&connectionName=.*/, '') }
    const attempt = (as: string[], more: object = {}) => {
      const env = { ...process.env, GIVEN: JSON.stringify({ ...given, ...more }) }
      const [file = '', ...args] = [...as, process.execPath, '-e', ATTEMPTS]
      const { stdout, stderr } = spawnSync(file, args, { env, encoding: 'utf8' })
      return stdout === '' ? stderr : (JSON.parse(stdout) as string[])
    }
    for (const user of ['nobody', '1000'])
      expect(attempt(['setpriv', `--reuid=${user}`, '--regid=65534', '--clear-groups'])).toEqual([])
    // The attempts do work for whoever may.
    const own = attempt(['env'], { log: running.eventstoreUrl })
    expect(own).toEqual(
      expect.arrayContaining([
        ...['the socket of Postgres with the password', 'a read of the log'],
        ...['run.json', 'postgres-secret', 'a look into /media'],
      ]),
    )
    for (const without of ['the socket of Postgres', 'the socket of Postgres with a guess', 'a read with a guess'])
      expect(own).not.toContain(without)
    expect(statSync(join(dataDir, 'media')).mode & 0o777).toBe(0o700)
  },
  120_000,
)

test('production refuses to run embedded parts as root, and nothing else', async () => {
  const parts = { databaseUrl: null, eventstoreUrl: null, roles: loadConfig({}).roles }
  const remote = { ...parts, databaseUrl: 'postgres://db/x', eventstoreUrl: 'esdb://log' }
  expect(() => refuseRoot({ ...parts, mode: 'production' }, 0)).toThrow(ConfigError)
  expect(() => refuseRoot({ ...remote, mode: 'production', databaseUrl: null }, 0)).toThrow(
    'start as a user of its own',
  )
  expect(() => refuseRoot({ ...remote, mode: 'production', eventstoreUrl: null }, 0)).toThrow('do not run as root')
  for (const [given, uid] of [
    [{ ...parts, mode: 'production' }, 1000],
    [{ ...remote, mode: 'production' }, 0],
    [{ ...parts, mode: 'local' }, 0],
  ] as const)
    expect(() => refuseRoot(given, uid)).not.toThrow()
})

test('the log alone knows the mode, and nothing else of a site', () => {
  const given = { APP_MODE: 'production', DATABASE_URL: 'postgres://127.0.0.1/x', LOG_PORT: '2114', MASTER_KEY: 'x' }
  const config = loadLogConfig(given)
  expect(config).toMatchObject({ mode: 'production', databaseUrl: 'postgres://127.0.0.1/x', logPort: 2114 })
  expect(() => refuseRoot(config, 0)).toThrow('do not run as root')
  expect(() => refuseRoot(config, 1000)).not.toThrow()
  expect(loadLogConfig({ APP_MODE: '' }).mode).toBe('local')
  expect(() => loadLogConfig({ APP_MODE: 'Production' })).toThrow('APP_MODE wants local or production')
})

test('the log alone speaks to no other machine in the clear in production', () => {
  const production = { APP_MODE: 'production', DATABASE_URL: 'postgres://db/x' }
  expect(() => loadLogConfig(production)).toThrow('DATABASE_URL wants TLS in production mode')
  const remote = { APP_MODE: 'production', EVENTSTORE_URL: 'esdb://a:b@log.example:2113?tls=false' }
  expect(() => loadLogConfig(remote)).toThrow('EVENTSTORE_URL wants TLS in production mode')
  const unchecked = { ...production, PLAINTEXT_HOSTS: 'db', NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  expect(() => loadLogConfig(unchecked)).toThrow('NODE_TLS_REJECT_UNAUTHORIZED=0 is for local mode alone')
  expect(loadLogConfig({ ...production, PLAINTEXT_HOSTS: 'db' }).databaseUrl).toBe('postgres://db/x')
  expect(loadLogConfig({ ...production, APP_MODE: 'local' }).databaseUrl).toBe('postgres://db/x')
})

/** What a site of one machine is configured by. */
const SITE = {
  APP_MODE: 'production',
  ALLOW_EMBEDDED: '1',
  RATE_LIMITS: 'on',
  PUBLIC_URL: 'https://letsbuzz.example',
  SMTP_URL: 'smtps://a:b@mail.example',
  MASTER_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64'),
  EMAIL_PEPPER: 'abcdefghijklmnopqrstuvwxyz0123456789',
  MEDIA_SECRET: '0123456789abcdefghijklmnopqrstuvwxyz',
}
/** Of an account with a name, which making a cluster wants; it owns nothing else. */
const NOBODY = 65_534

test('production with its embedded parts gets ready under an account that is not root', async () => {
  // The account may build nothing here.
  await buildPages(ROOT, true)
  const folder = tempDir()
  const uid = asRoot ? NOBODY : undefined
  if (uid !== undefined) chownSync(folder, uid, uid)
  const dataDir = join(folder, 'data')
  const program = await startProgram({ dataDir, port: await freePort(), env: SITE, uid })
  onTestFinished(() => program.stop())
  const answers = ['/readyz', '/login'].map(async (path) => (await fetch(program.url + path)).status)
  // Pages are for who asks by the public address.
  expect(await Promise.all(answers)).toEqual([200, 421])
  const owners = ['', 'postgres', 'postgres-secret', 'log-secret', 'run.json'].map(
    (name) => statSync(join(dataDir, name)).uid,
  )
  expect(new Set(owners)).toEqual(new Set([uid ?? process.getuid?.()]))
  const strangers = descendantsOf(program.pid).filter((pid) => asRoot && statSync(`/proc/${pid}`).uid !== uid)
  expect(strangers).toEqual([])
}, 120_000)

test.runIf(asRoot)('a start and a tool of production end before they have made anything', async () => {
  const env = { ...SITE, DATA_DIR: join(tempDir(), 'data') }
  await expect(startProgram({ dataDir: env.DATA_DIR, port: await freePort(), env })).rejects.toThrow(
    'do not run as root',
  )
  const tool = await runToolHere('history', ['verify'], env)
  expect(tool.code).toBe(1)
  const { APP_MODE, DATA_DIR } = env
  for (const words of [['--port', '0'], ['scavenge']]) {
    const log = await runToolHere('log', words, { APP_MODE, DATA_DIR })
    expect([log.code, log.err]).toEqual([1, expect.stringMatching(/do not run as root|no product in/)])
  }
  expect(() => statSync(env.DATA_DIR)).toThrow('ENOENT')
})
