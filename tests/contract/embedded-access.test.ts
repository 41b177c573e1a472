import { rmSync } from 'node:fs'
import { AccessDeniedError, ANY, END, EventStoreDBClient, UnavailableError } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../../eventstore/embedded/server.ts'
import { makeCertificate } from '../support/certificate.ts'
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { all, newStream, note, REAL_LOG, take } from './log-target.ts'

const ADMIN = { name: 'admin', password: 'change it: 100%' }
const READER = { name: 'reader', password: 'another one' }

const folder = makeTempDir('letsbuzz-test-')
const tls = makeCertificate(folder)
afterAll(() => rmSync(folder, { recursive: true }))

/** Each call of the client, as somebody. */
const CALLS: [string, (client: EventStoreDBClient, stream: string, who: object) => Promise<unknown>][] = [
  ['a classic append', (client, stream, who) => client.appendToStream(stream, note('A'), who)],
  ['a read of a stream', (client, stream, who) => all(client.readStream(stream, who))],
  ['a read of the whole log', (client, _stream, who) => all(client.readAll({ maxCount: 1, ...who }))],
  ['metadata', (client, stream, who) => client.getStreamMetadata(stream, who)],
  ['a subscription to a stream', (client, stream, who) => take(1, client.subscribeToStream(stream, who))],
  ['a subscription to the whole log', (client, _stream, who) => take(1, client.subscribeToAll(who))],
  ['a deletion', (client, stream, who) => client.deleteStream(stream, { expectedRevision: ANY, ...who })],
  ['a tombstone', (client, stream, who) => client.tombstoneStream(stream, { expectedRevision: ANY, ...who })],
]

describe.skipIf(REAL_LOG)('an embedded log with TLS and users', () => {
  let database: FreshDatabase
  let server: LogServer
  let client: EventStoreDBClient
  const addressFor = (who: string, protocol = 'esdb') =>
    `${protocol}://${who}127.0.0.1:${server.port}?tls=true&tlsCAFile=${encodeURIComponent(tls.certFile)}`
  const signedIn = `${ADMIN.name}:${encodeURIComponent(ADMIN.password)}@`

  beforeAll(async () => {
    database = await freshDatabase()
    server = await startLogServer({ database: database.config, logLine: () => {}, tls, users: [ADMIN, READER] })
    client = EventStoreDBClient.connectionString(server.connectionString)
  })
  afterAll(async () => {
    await client.dispose()
    await server.stop()
    await database.drop()
  })

  test('lets in whoever takes its own connection string, in batches too', async () => {
    const stream = newStream()
    await client.appendToStream(stream, note('A'))
    expect(await all(client.readStream(stream))).toHaveLength(1)
    expect(server.address).not.toContain('change')
  })

  test.each(CALLS)('lets every user make %s', async (_name, call) => {
    const stream = newStream()
    await client.appendToStream(stream, note('First'))
    const credentials = { username: READER.name, password: READER.password }
    await expect(call(client, stream, { credentials })).resolves.toBeDefined()
  })

  test.each(CALLS)('refuses a wrong password for %s', async (_name, call) => {
    const stream = newStream()
    await client.appendToStream(stream, note('First'))
    for (const credentials of [
      { username: ADMIN.name, password: READER.password },
      { username: 'nobody', password: ADMIN.password },
    ])
      await expect(call(client, stream, { credentials })).rejects.toBeInstanceOf(AccessDeniedError)
    expect(await all(client.readStream(stream))).toHaveLength(1)
  })

  test.each([
    ['no name', ''],
    ['a wrong password', 'admin:guess@'],
  ])('refuses a client with %s, whose calls with a right one are answered', async (_name, who) => {
    const stranger = EventStoreDBClient.connectionString(addressFor(who))
    const stream = newStream()
    await expect(stranger.appendToStream(stream, note('A'))).rejects.toBeInstanceOf(AccessDeniedError)
    await expect(all(stranger.readAll())).rejects.toBeInstanceOf(AccessDeniedError)
    const credentials = { username: ADMIN.name, password: ADMIN.password }
    await stranger.appendToStream(stream, note('A'), { credentials })
    expect(await all(stranger.readStream(stream, { credentials }))).toHaveLength(1)
    await stranger.dispose()
  })

  test('a refused subscription ends the call and leaves nothing open', async () => {
    const subscription = client.subscribeToAll({
      fromPosition: END,
      credentials: { username: ADMIN.name, password: 'guess' },
    })
    const failure = await new Promise((resolve) => subscription.once('error', resolve).resume())
    expect(failure).toBeInstanceOf(AccessDeniedError)
  })

  test('is found by gossip at the name the client asked for, which its certificate holds', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const found = EventStoreDBClient.connectionString(
        addressFor(signedIn, 'esdb+discover').replace('127.0.0.1', host),
      )
      await found.appendToStream(newStream(), note('Found'))
      await found.dispose()
    }
  })

  test('keeps account in the log of whom it lets in, once, and of no password', async () => {
    await server.stop()
    const users = [ADMIN, READER]
    server = await startLogServer({ database: database.config, port: server.port, logLine: () => {}, tls, users })
    const read = () => all(client.readStream('$user-reader')).catch(() => false as const)
    const [created, ...others] = await until('the new server answers', read)
    expect([created!.type, created!.data, others]).toEqual([
      '$UserCreated',
      { loginName: 'reader', groups: ['$admins'] },
      [],
    ])
    const everything = await all(client.readAll())
    const text = JSON.stringify(everything, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
    expect(text).toContain('"loginName":"admin"')
    for (const { password } of users) expect(text).not.toContain(password)
  })

  test.each([
    ['plain', () => `esdb://127.0.0.1:${server.port}?tls=false`],
    ['that trusts other certificates', () => `esdb://${signedIn}127.0.0.1:${server.port}?tls=true`],
  ])('a client %s does not get through', async (_name, address) => {
    const outside = EventStoreDBClient.connectionString(address())
    await expect(all(outside.readAll({ maxCount: 1 }))).rejects.toBeInstanceOf(UnavailableError)
    await outside.dispose()
  })
})

describe.skipIf(REAL_LOG)('an embedded log with a secret and no users', () => {
  const secret = 'a-secret-of-forty-three-characters-or-so_12'
  let database: FreshDatabase
  let server: LogServer
  let client: EventStoreDBClient
  beforeAll(async () => {
    database = await freshDatabase()
    server = await startLogServer({ database: database.config, logLine: () => {}, secret })
    client = EventStoreDBClient.connectionString(server.connectionString)
  })
  afterAll(async () => {
    await client.dispose()
    await server.stop()
    await database.drop()
  })

  test('lets in whoever takes its own connection string, over a plain connection too, and never says it', async () => {
    const stream = newStream()
    await client.appendToStream(stream, note('A'))
    expect(await all(client.readStream(stream))).toHaveLength(1)
    expect(server.address).toMatch(/tls=false$/)
    expect(server.connectionString).toContain(secret)
  })

  test.each(CALLS)('refuses %s to whoever does not know it', async (_name, call) => {
    const stream = newStream()
    await client.appendToStream(stream, note('First'))
    for (const name of ['', '&connectionName=guess', `&connectionName=${secret.slice(1)}`]) {
      const stranger = EventStoreDBClient.connectionString(`${server.address}${name}`)
      await expect(call(stranger, stream, {})).rejects.toBeInstanceOf(AccessDeniedError)
      await stranger.dispose()
    }
    expect(await all(client.readStream(stream))).toHaveLength(1)
  })
})

describe.skipIf(REAL_LOG)('signing in to an embedded log', () => {
  test.each([
    ['users without TLS', { users: [ADMIN] }, 'lets users in over TLS alone'],
    [
      'a missing certificate',
      { tls: { ...tls, certFile: '/nowhere.crt' } },
      'cannot read its certificate /nowhere.crt',
    ],
    ['a missing key', { tls: { ...tls, keyFile: '/nowhere.key' } }, 'cannot read its key /nowhere.key'],
    ['a key that is no key', { tls: { ...tls, keyFile: tls.certFile } }, 'cannot listen on 127.0.0.1'],
  ])('%s is a start that fails with a reason', async (_name, options, message) => {
    const database = await freshDatabase()
    await expect(startLogServer({ database: database.config, ...options })).rejects.toThrow(message)
    await database.drop()
  })
})
