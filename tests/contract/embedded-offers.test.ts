import {
  EventStoreDBClient,
  persistentSubscriptionToAllSettingsFromDefaults as toAll,
  persistentSubscriptionToStreamSettingsFromDefaults as toStream,
} from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runIn } from '../support/fresh-database.ts'
import { until } from '../support/until.ts'
import { healthOf } from './health-of.ts'
import { all, asError, type EmbeddedTarget, newStream, note, notes, openEmbedded, REAL_LOG } from './log-target.ts'

const UNIMPLEMENTED = 12
type Failing = { once(event: 'error', listener: (error: Error) => void): { resume(): unknown } }
const failureOf = (stream: Failing) => new Promise((_resolve, reject) => stream.once('error', reject).resume())

/** Everything the client can ask that this server has not: persistent subscriptions and server-side projections. */
const MISSING: [string, (client: EventStoreDBClient) => Promise<unknown>][] = [
  ['createPersistentSubscriptionToStream', (one) => one.createPersistentSubscriptionToStream('s', 'g', toStream())],
  ['createPersistentSubscriptionToAll', (one) => one.createPersistentSubscriptionToAll('g', toAll())],
  ['updatePersistentSubscriptionToStream', (one) => one.updatePersistentSubscriptionToStream('s', 'g', toStream())],
  ['updatePersistentSubscriptionToAll', (one) => one.updatePersistentSubscriptionToAll('g', toAll())],
  ['deletePersistentSubscriptionToStream', (one) => one.deletePersistentSubscriptionToStream('s', 'g')],
  ['deletePersistentSubscriptionToAll', (one) => one.deletePersistentSubscriptionToAll('g')],
  [
    'subscribeToPersistentSubscriptionToStream',
    (one) => failureOf(one.subscribeToPersistentSubscriptionToStream('s', 'g')),
  ],
  ['subscribeToPersistentSubscriptionToAll', (one) => failureOf(one.subscribeToPersistentSubscriptionToAll('g'))],
  ['listAllPersistentSubscriptions', (one) => one.listAllPersistentSubscriptions()],
  ['listPersistentSubscriptionsToAll', (one) => one.listPersistentSubscriptionsToAll()],
  ['listPersistentSubscriptionsToStream', (one) => one.listPersistentSubscriptionsToStream('s')],
  ['getPersistentSubscriptionToStreamInfo', (one) => one.getPersistentSubscriptionToStreamInfo('s', 'g')],
  ['getPersistentSubscriptionToAllInfo', (one) => one.getPersistentSubscriptionToAllInfo('g')],
  ['replayParkedMessagesToStream', (one) => one.replayParkedMessagesToStream('s', 'g')],
  ['replayParkedMessagesToAll', (one) => one.replayParkedMessagesToAll('g')],
  ['restartPersistentSubscriptionSubsystem', (one) => one.restartPersistentSubscriptionSubsystem()],
  ['createProjection', (one) => one.createProjection('p', 'fromAll()')],
  ['createProjection with tracking', (one) => one.createProjection('p', 'fromAll()', { trackEmittedStreams: true })],
  ['updateProjection', (one) => one.updateProjection('p', 'fromAll()')],
  ['deleteProjection', (one) => one.deleteProjection('p')],
  ['enableProjection', (one) => one.enableProjection('p')],
  ['disableProjection', (one) => one.disableProjection('p')],
  ['resetProjection', (one) => one.resetProjection('p')],
  ['getProjectionState', (one) => one.getProjectionState('p')],
  ['getProjectionResult', (one) => one.getProjectionResult('p')],
  ['getProjectionStatus', (one) => one.getProjectionStatus('p')],
  ['listProjections', (one) => one.listProjections()],
  ['restartSubsystem', (one) => one.restartSubsystem()],
]

describe.skipIf(REAL_LOG)('what the embedded log offers', () => {
  let target: EmbeddedTarget
  beforeAll(async () => {
    target = await openEmbedded()
  })
  afterAll(() => target.close())
  const another = (options: string, protocol = 'esdb') =>
    EventStoreDBClient.connectionString(`${protocol}://localhost:${target.server().port}?tls=false${options}`)

  test.each(MISSING)('%s is answered as unimplemented', async (_name, ask) => {
    await expect(ask(target.client)).rejects.toMatchObject({ code: UNIMPLEMENTED })
  })

  test.each(['leader', 'follower', 'random', 'readOnlyReplica'])(
    'a client that looks for a %s by gossip finds the one there is',
    async (nodePreference) => {
      const found = another(`&nodePreference=${nodePreference}`, 'esdb+discover')
      const stream = newStream()
      await found.appendToStream(stream, note('Found'))
      expect(await all(found.readStream(stream))).toHaveLength(1)
      await found.dispose()
    },
  )

  test.each([
    ['batch', {}],
    ['classic', { credentials: { username: 'admin', password: 'changeit' } }],
  ])('a client that asks not to throw gets the refusal of a %s append as an answer', async (_name, how) => {
    const lenient = another('&throwOnAppendFailure=false')
    const stream = newStream()
    await lenient.appendToStream(stream, notes(2), how)
    const refused = await lenient.appendToStream(stream, note('Late'), { expectedRevision: 7n, ...how })
    expect(refused).toMatchObject({ success: false, position: undefined })
    await lenient.dispose()
  })

  test('a client that demands a leader, and one that keeps its connection alive, are served', async () => {
    const quick = another('&keepAliveInterval=10&keepAliveTimeout=1000&connectionName=quick')
    const stream = newStream()
    await quick.appendToStream(stream, note('A'), { requiresLeader: true })
    const begun = performance.now()
    await until('many pings', () => performance.now() - begun > 300)
    expect(await all(quick.readStream(stream, { requiresLeader: true }))).toHaveLength(1)
    await quick.dispose()
  })

  test('a client that was disposed of ends its subscriptions without an error, and works again', async () => {
    const disposed = another('')
    const ends = [disposed.subscribeToAll(), disposed.subscribeToStream(newStream())].map(
      (subscription) =>
        new Promise((resolve) =>
          subscription
            .once('error', resolve)
            .once('end', () => resolve('ended'))
            .resume(),
        ),
    )
    await disposed.appendToStream(newStream(), note('A'))
    await disposed.dispose()
    expect(await Promise.all(ends)).toEqual(['ended', 'ended'])
    await disposed.appendToStream(newStream(), note('B'))
    await disposed.dispose()
  })

  test('gRPC health says whether the log can be written', async () => {
    const health = healthOf(target.server().port)
    const serving = (service?: string) => health.serving(service)
    expect([await serving(), await serving('event_store.client.streams.Streams')]).toEqual([true, true])
    const name = target.database.config.database!
    const elsewhere = { ...target.database.config, database: 'postgres' }
    await runIn(elsewhere, `alter database ${name} allow_connections false`)
    await runIn(elsewhere, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await until('the loss is noticed', async () => !(await serving()))
    await runIn(elsewhere, `alter database ${name} allow_connections true`)
    await until('the log can be written again', () => serving())
    health.close()
  })

  test('a call over HTTP fails at once, and troubles nobody', async () => {
    const failure = await fetch(`http://127.0.0.1:${target.server().port}/streams/a`).catch(asError)
    expect(failure).toBeInstanceOf(Error)
    expect(target.server().ready()).toBe(true)
  })
})
