import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  END,
  type EventStoreDBClient,
  excludeSystemEvents,
  type Position,
  type ResolvedEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client'
import { describe, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { newStream, note, notes, take } from '../log-target.ts'

type Follow = (
  client: EventStoreDBClient,
  stream: string,
  from: 'start' | 'end',
) => ReturnType<EventStoreDBClient['subscribeToStream']>

const FOLLOWS: [string, Follow][] = [
  ['a stream', (client, stream, from) => client.subscribeToStream(stream, { fromRevision: from })],
  [
    'the whole log',
    (client, stream, from) =>
      client.subscribeToAll({
        fromPosition: from,
        filter: streamNameFilter({ prefixes: [stream] }),
      }) as ReturnType<Follow>,
  ],
]

/** What a subscription emits, in order. */
function record(subscription: ReturnType<Follow>): string[] {
  const seen: string[] = []
  for (const name of ['confirmation', 'caughtUp', 'error', 'end'] as const) subscription.on(name, () => seen.push(name))
  subscription.on('data', ({ event }) => seen.push(event!.type))
  return seen
}

export function followingContract(client: () => EventStoreDBClient): void {
  describe.each(FOLLOWS)('a subscription to %s', (_name, follow) => {
    test('is confirmed, hands over what is there, says that it has caught up, and continues until it is ended', async () => {
      const stream = newStream()
      await client().appendToStream(stream, notes(3, 'Old'))
      const subscription = follow(client(), stream, START)
      const seen = record(subscription)
      await until('it has caught up', () => seen.includes('caughtUp'))
      await client().appendToStream(stream, note('New'))
      await until('the new event is seen', () => seen.includes('New'))
      await subscription.unsubscribe()
      await until('it has ended', () => seen.includes('end'))
      expect(seen).toEqual(['confirmation', 'Old', 'Old', 'Old', 'caughtUp', 'New', 'end'])
    })

    test('from the end catches up at once and sees what comes', async () => {
      const stream = newStream()
      await client().appendToStream(stream, notes(3, 'Old'))
      const subscription = follow(client(), stream, END)
      const seen = record(subscription)
      await until('it has caught up', () => seen.includes('caughtUp'))
      await client().appendToStream(stream, [note('New'), note('New')])
      await until('the new events are seen', () => seen.includes('New'))
      await subscription.unsubscribe()
      await until('it has ended', () => seen.includes('end'))
      expect(seen).toEqual(['confirmation', 'caughtUp', 'New', 'New', 'end'])
    })

    test('waits for a consumer that takes its time, and loses nothing', async () => {
      const stream = newStream()
      await client().appendToStream(stream, notes(150))
      const subscription = follow(client(), stream, START)
      const texts: string[] = []
      for await (const { event } of subscription) {
        await new Promise((resolve) => setImmediate(resolve))
        texts.push((event!.data as { text: string }).text)
        if (texts.length === 100) await client().appendToStream(stream, notes(150))
        if (texts.length === 300) break
      }
      await subscription.unsubscribe()
      const once = Array.from({ length: 150 }, (_, index) => String(index))
      expect(texts).toEqual([...once, ...once])
    })

    test('flows through a pipe', async () => {
      const stream = newStream()
      await client().appendToStream(stream, notes(8))
      const subscription = follow(client(), stream, START)
      const seen: string[] = []
      const sink = new Writable({
        objectMode: true,
        write({ event }: ResolvedEvent, _encoding, done) {
          if (seen.push(event!.id) === 8) subscription.unsubscribe().then(() => done(), done)
          else done()
        },
      })
      await pipeline(subscription, sink)
      expect(new Set(seen).size).toBe(8)
    })

    test('is one of many, and each sees everything in the same order', async () => {
      const stream = newStream()
      const followers = Array.from({ length: 8 }, () => take(40, follow(client(), stream, START)))
      for (let round = 0; round < 10; round++) await client().appendToStream(stream, notes(4))
      const orders = (await Promise.all(followers)).map((events) => events.map(({ id }) => id).join())
      expect(new Set(orders).size).toBe(1)
    })
  })

  test('a subscription to a stream from beyond its end waits for what comes after that', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(2))
    const followed = take(1, client().subscribeToStream(stream, { fromRevision: 3n }))
    await client().appendToStream(stream, notes(3))
    expect((await followed).map(({ revision }) => revision)).toEqual([4n])
  })

  test('a subscription to a deleted stream sees what comes after its deletion', async () => {
    const stream = newStream()
    await client().appendToStream(stream, notes(3))
    await client().deleteStream(stream)
    const followed = take(1, client().subscribeToStream(stream))
    await client().appendToStream(stream, note('Again'))
    expect((await followed).map(({ type, revision }) => [type, revision])).toEqual([['Again', 3n]])
  })

  test.each([
    [1, 12],
    [2, 6],
    [4, 3],
  ])(
    'at an interval of %i a checkpoint comes for each 32 times as many events looked at',
    async (checkpointInterval, most) => {
      const stream = newStream()
      const checkpoints: Position[] = []
      const checkpointReached = async (_subscription: unknown, position: Position) => void checkpoints.push(position)
      const { position } = await client().appendToStream(stream, note('Before'))
      const filter = excludeSystemEvents({ checkpointInterval, checkpointReached })
      const seen = take(384, client().subscribeToAll({ fromPosition: position!, filter }))
      for (let round = 0; round < 6; round++) await client().appendToStream(stream, notes(64))
      expect(await seen).toHaveLength(384)
      // One more comes when the subscription catches up on the way.
      expect(checkpoints.length).toBeGreaterThanOrEqual(most - 1)
      expect(checkpoints.length).toBeLessThanOrEqual(most + 1)
      const commits = checkpoints.map(({ commit }) => commit)
      expect(commits).toEqual(commits.toSorted((a, b) => Number(a - b)))
    },
  )
}
