import {
  ANY,
  EventStoreDBClient,
  NO_STREAM,
  type Position,
  streamNameFilter,
  UnavailableError,
} from '@eventstore/db-client'
import { afterEach, describe, expect, test } from 'vitest'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { until } from '../support/until.ts'
import { all, type EmbeddedTarget, newStream, note, notes, openEmbedded, REAL_LOG, take } from './log-target.ts'

describe.skipIf(REAL_LOG)('the embedded log server', () => {
  let target: EmbeddedTarget
  afterEach(() => target.close())

  test('a follower of a server that restarts sees an error, and misses and doubles nothing after its position', async () => {
    target = await openEmbedded()
    const { client } = target
    const stream = newStream()
    const filter = streamNameFilter({ prefixes: [stream] })
    const seen: number[] = []
    let at: Position | undefined
    const follow = async (count: number) => {
      const subscription = client.subscribeToAll(at ? { fromPosition: at, filter } : { filter })
      try {
        for await (const { event } of subscription) {
          seen.push(Number(event!.revision))
          at = event!.position!
          if (seen.length === count) return 'all seen'
        }
      } catch (error) {
        return (error as { type: string }).type
      } finally {
        await subscription.unsubscribe()
      }
    }
    await client.appendToStream(stream, notes(5))
    const first = follow(10)
    await until('the first five are seen', () => seen.length === 5)
    await target.restart()
    expect(await first).toBe('unavailable')
    await until('an append reaches the new server', () => client.appendToStream(stream, notes(5)).catch(() => false))
    expect(await follow(10)).toBe('all seen')
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('appends sent again after a restart add nothing, at any revision and at an exact one', async () => {
    target = await openEmbedded()
    const { client } = target
    const [stream, first, second] = [newStream(), notes(2), notes(2)]
    await client.appendToStream(stream, first, { expectedRevision: NO_STREAM })
    await client.appendToStream(stream, second, { expectedRevision: 1n })
    await target.restart()
    await until('the new server answers', () => all(client.readStream(stream)).catch(() => false))
    const again = [
      await client.appendToStream(stream, first, { expectedRevision: NO_STREAM }),
      await client.appendToStream(stream, second, { expectedRevision: 1n }),
      await client.appendToStream(stream, second, { expectedRevision: ANY }),
    ]
    expect(again.map(({ nextExpectedRevision }) => nextExpectedRevision)).toEqual([1n, 3n, 3n])
    expect(await all(client.readStream(stream))).toHaveLength(4)
  })

  test('stopping notifies followers and takes less than a second', async () => {
    target = await openEmbedded()
    const subscription = target.client.subscribeToAll()
    const failure = new Promise((resolve) => subscription.once('error', (error) => resolve(error)))
    subscription.resume()
    await new Promise((resolve) => subscription.once('caughtUp', resolve))
    const begun = performance.now()
    await target.server().stop()
    expect(performance.now() - begun).toBeLessThan(1000)
    expect(await failure).toMatchObject({ type: 'unavailable' })
    expect(target.server().ready()).toBe(false)
  })

  test.each([
    ['batch', {}],
    ['classic', { credentials: { username: 'admin', password: 'changeit' } }],
  ])(
    '%s appends under way when the server goes away fail as unavailable, and what was acknowledged stands',
    async (_name, how) => {
      target = await openEmbedded()
      const { client } = target
      const stream = newStream()
      let acknowledged = 0
      const failure = (async () => {
        for (;;) {
          await client.appendToStream(stream, notes(200), how)
          acknowledged += 200
        }
      })().catch((error: unknown) => error)
      await until('some are done', () => acknowledged >= 400)
      await target.restart()
      expect(await failure).toBeInstanceOf(UnavailableError)
      const stored = await until('the new server answers', () => all(client.readStream(stream)).catch(() => null))
      expect(stored.length - acknowledged === 0 || stored.length - acknowledged === 200).toBe(true)
    },
  )

  test('a second server on the same database gives up with a clear message', async () => {
    target = await openEmbedded()
    const logged: string[] = []
    const second = startLogServer({ ...secondary(target, logged), lockWaitMs: 300 })
    await expect(second).rejects.toThrow('Another log server is still writing to this database')
    expect(logged).toEqual([expect.stringContaining('Waiting up to 0.3 s')])
    await target.client.appendToStream(newStream(), note('Still here'))
  })

  test('a second server waits for the first to let go and finds all it wrote', async () => {
    target = await openEmbedded()
    const stream = newStream()
    await target.client.appendToStream(stream, notes(3))
    const logged: string[] = []
    const second = startLogServer(secondary(target, logged))
    await until('the second one waits', () => logged.length)
    await target.server().stop()
    const server = await second
    try {
      expect(server.ready()).toBe(true)
      const events = await take(3, EventStoreDBClient.connectionString(server.connectionString).subscribeToAll())
      expect(events.map(({ streamId }) => streamId)).toEqual([stream, stream, stream])
    } finally {
      await server.stop()
    }
  })
})

const secondary = (target: EmbeddedTarget, logged: string[]) => ({
  database: target.database.config,
  logLine: (line: string) => {
    logged.push(line)
  },
})
