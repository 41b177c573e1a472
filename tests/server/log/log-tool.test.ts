import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { AccessDeniedError, EventStoreDBClient, jsonEvent, StreamNotFoundError } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { openLog } from '../../../eventstore/log.ts'
import { loadConfig } from '../../../server/config.ts'
import { findRunning } from '../../../server/data-dir.ts'
import { superviseLog } from '../../../server/embedded/log/supervise-log.ts'
import { type Certificate, makeCertificate } from '../../support/certificate.ts'
import { type FreshDatabase, freshDatabase } from '../../support/fresh-database.ts'
import { databaseUrl } from '../../support/servers/database-url.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { runToolHere } from '../../support/tool.ts'

const root = resolve(import.meta.dirname, '../../..')
const COMMAND = [join(root, 'server/run.js'), 'log']
const USER = 'app:secret word'

let database: FreshDatabase
const stops: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await database.drop()
})

const own = (more: Record<string, string> = {}) => ({
  DATABASE_URL: databaseUrl(database.config),
  DATA_DIR: tempDir(),
  ...more,
})

/** The server as it is started by hand; answers the address it prints, and its secret where it wants one. */
async function serve(env: Record<string, string> = {}): Promise<string> {
  const variables = own(env)
  const server = spawn(process.execPath, [...COMMAND, '--port', '0'], {
    cwd: root,
    env: { ...process.env, ...variables },
  })
  stops.push(() => {
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    return gone
  })
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /esdb:[^\s;]+/.exec(line)?.[0]
    if (!address) continue
    if (!line.includes('&connectionName=')) return address
    const secret = readFileSync(join(variables.DATA_DIR, 'log-secret'), 'utf8').trim()
    expect(line).not.toContain(secret)
    return `${address}&connectionName=${secret}`
  }
  throw new Error('The log server did not start.')
}

const run = (args: readonly string[], env: Record<string, string> = {}) => runToolHere('log', args, own(env))

test('log scavenge works beside the running server, which keeps account of it', async () => {
  const address = await serve()
  const client = EventStoreDBClient.connectionString(address)
  const events = Array.from({ length: 5 }, () => jsonEvent({ type: 'Noted', data: { text: 'x'.repeat(1_024) } }))
  await client.appendToStream('member-gone', events)
  await client.deleteStream('member-gone')
  const counted = await run(['scavenge', '--dry-run'], { EVENTSTORE_URL: address })
  expect(counted).toMatchObject({ code: 0, out: '4 events of 1 stream, 4.0 KiB of payload, would go.\n' })
  const taken = await run(['scavenge'], { EVENTSTORE_URL: address })
  expect(taken).toMatchObject({ code: 0, out: '4 events of 1 stream, 4.0 KiB of payload, are gone.\n' })
  expect(taken.err).toMatch(/Scavenging {2}100 %/)
  const accounts: unknown[] = []
  for await (const { event } of client.readStream('$scavenges')) accounts.push(event?.data)
  expect(accounts).toEqual([{ streams: 1, events: 4, bytes: 4 * 1_035 }])
  const again = await run(['scavenge'], { EVENTSTORE_URL: address })
  expect(again.out).toBe('Nothing to take away: every stored event can be seen.\n')
  await client.dispose()
})

test('log scavenge works beside a running server with a Postgres of its own', async () => {
  const env = { DATABASE_URL: '', DATA_DIR: tempDir() }
  const client = EventStoreDBClient.connectionString(await serve(env))
  for (let round = 0; round < 3; round++)
    await client.appendToStream('member-gone', jsonEvent({ type: 'Noted', data: { round } }))
  await client.deleteStream('member-gone')
  const taken = await run(['scavenge'], env)
  expect([taken.err, taken.out]).toEqual([expect.stringContaining('100 %'), expect.stringMatching(/^2 events of 1 /)])
  const accounts: unknown[] = []
  for await (const { event } of client.readStream('$scavenges')) accounts.push(event?.type)
  expect(accounts).toEqual(['$scavengeCompleted'])
  await client.dispose()
  await stops.pop()?.()
  expect(findRunning(env.DATA_DIR)).toBeNull()
  expect((await run(['scavenge'], env)).out).toBe('Nothing to take away: every stored event can be seen.\n')
})

test('log keeps its secret for its owner, and gives it to each start of the same folder', async () => {
  const env = { DATA_DIR: tempDir() }
  const address = await serve(env)
  expect(statSync(join(env.DATA_DIR, 'log-secret')).mode & 0o777).toBe(0o600)
  const stranger = EventStoreDBClient.connectionString(address.replace(/&connectionName.*/, ''))
  await expect(stranger.appendToStream('noted-1', jsonEvent({ type: 'Noted', data: {} }))).rejects.toBeInstanceOf(
    AccessDeniedError,
  )
  await stranger.dispose()
  await stops.pop()?.()
  expect((await serve(env)).split('connectionName=')[1]).toBe(address.split('connectionName=')[1])
})

test('log speaks TLS to users alone, and never says a password', async () => {
  const { certFile, keyFile }: Certificate = makeCertificate(tempDir())
  const address = await serve({ LOG_TLS_CERT: certFile, LOG_TLS_KEY: keyFile, LOG_USERS: USER })
  expect(address).toContain('tls=true')
  expect(address).not.toContain('secret')
  const stranger = EventStoreDBClient.connectionString(address)
  const read = async (client: EventStoreDBClient) => {
    for await (const _ of client.readStream('nothing')) return
  }
  await expect(read(stranger)).rejects.toBeInstanceOf(AccessDeniedError)
  await stranger.dispose()
  const known = EventStoreDBClient.connectionString(address.replace('://', '://app:secret%20word@'))
  await expect(read(known)).rejects.toBeInstanceOf(StreamNotFoundError)
  await known.dispose()
})

test('the embedded log listens the same way, and the product signs in as the first user', async () => {
  const { certFile, keyFile } = makeCertificate(tempDir())
  const config = loadConfig({ LOG_TLS_CERT: certFile, LOG_TLS_KEY: keyFile, LOG_USERS: USER })
  const supervised = await superviseLog({ database: database.config, port: 0, ...config.logListen }, () => {})
  stops.push(() => supervised.stop())
  const log = openLog({ connectionString: supervised.report.connectionString })
  stops.push(() => log.close())
  const event = { id: randomUUID(), type: 'Noted', data: { text: 'a' }, metadata: {} }
  await log.append('noted-1', 'no_stream', [event])
  expect(await log.read('noted-1')).toMatchObject([event])
  // Who was let in is noted in the log, and is no event of the product.
  expect(await log.readAll(START, 10)).toHaveLength(1)
})

test('a wrong call, and a port that is open to strangers, end before anything starts', async () => {
  const [help, bogus, port, open] = await Promise.all([
    run(['--help']),
    run(['frobnicate']),
    run(['--port', 'x']),
    run([], { LOG_HOST: '0.0.0.0' }),
  ])
  expect([help.code, bogus.code, port.code, open.code]).toEqual([0, 2, 2, 1])
  expect(help.out).toContain('Usage: npm run log')
  expect(bogus.err).toContain('There is no command "frobnicate".')
  expect(port.err).toContain('"x" is not a port.')
  expect(open.err).toContain('LOG_HOST 0.0.0.0 can be reached by others')
})
