import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Position, START } from '../../domain/shared/recorded.ts'
import { leftOf } from '../../eventstore/appends.ts'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { createFeed } from '../../eventstore/feed.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { openLog } from '../../eventstore/log.ts'
import { fromPosition, toPosition } from '../../eventstore/position.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { logTemplate } from '../support/log.ts'
import { until } from '../support/until.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await startRig()
})
afterEach(() => rig.stop())

const append = (stream: string, from: number, count: number) =>
  rig.log.append(
    stream,
    from === 0 ? 'no_stream' : from - 1,
    Array.from({ length: count }, (_, i) => ({
      id: uuidFrom(stream, from + i),
      type: 'Counted',
      data: { n: from + i },
      metadata: {},
    })),
  )

/** One append of so many events, as the codec marks them. */
const appendTogether = (stream: string, count: number, words = '') =>
  rig.log.append(
    stream,
    'no_stream',
    Array.from({ length: count }, (_, i) => ({
      id: uuidFrom(stream, i),
      type: 'Counted',
      data: { n: i, words },
      metadata: { ...leftOf(count - 1 - i) },
    })),
  )

/** The streams of each batch that follows a position. */
function batchesAfter(feed: ReturnType<typeof createFeed>, after: Position, signal: AbortSignal) {
  const batches: string[][] = []
  const done = (async () => {
    for await (const batch of feed.follow(after, signal)) batches.push(batch.map(({ stream }) => stream))
  })()
  return { batches, done }
}

function collect(feed: ReturnType<typeof createFeed>, after: Position, signal: AbortSignal) {
  const seen: number[] = []
  const done = (async () => {
    for await (const batch of feed.follow(after, signal)) seen.push(...batch.map((event) => Number(event.data.n)))
  })()
  return { seen, done }
}

test('followers from different positions share one subscription and each sees all that follows, once, in order', async () => {
  const first = await append('counter', 0, 50)
  const stop = new AbortController()
  const feed = createFeed(rig.log)
  const early = collect(feed, START, stop.signal)
  const late = collect(feed, first.position, stop.signal)
  for (let from = 50; from < 500; from += 50) await append('counter', from, 50)
  await until('both have seen the end', () => early.seen.at(-1) === 499 && late.seen.at(-1) === 499)
  expect(early.seen).toEqual(Array.from({ length: 500 }, (_, i) => i))
  expect(late.seen).toEqual(Array.from({ length: 450 }, (_, i) => i + 50))
  stop.abort()
  await Promise.all([early.done, late.done, feed.close()])
})

test('a follower of a log whose events are gone up to its head asks once, and takes what comes after', async () => {
  await append('counter', 0, 30)
  let reads = 0
  const scavenged = {
    ...rig.log,
    readAll: async () => {
      reads++
      return []
    },
  }
  const stop = new AbortController()
  const feed = createFeed(scavenged)
  const { seen, done } = collect(feed, START, stop.signal)
  await until('it asked', () => reads > 0)
  await append('counter', 30, 3)
  await until('it takes what comes', () => seen.length === 3)
  expect([reads, seen]).toEqual([1, [30, 31, 32]])
  stop.abort()
  await Promise.all([done, feed.close()])
})

test('a follower that falls far behind reads pages of the log and misses nothing', async () => {
  const stop = new AbortController()
  const feed = createFeed(rig.log, { kept: 256 })
  const live = collect(feed, START, stop.signal)
  for (let from = 0; from < 1_200; from += 100) await append('counter', from, 100)
  await until('the live one has seen the end', () => live.seen.length === 1_200)
  const behind = collect(feed, START, stop.signal)
  await until('the late one has too', () => behind.seen.length === 1_200)
  expect(behind.seen).toEqual(live.seen)
  stop.abort()
  await Promise.all([live.done, behind.done, feed.close()])
})

test('positions sort as text the way the log is ordered, and come back whole', async () => {
  const positions = [0n, 1n, 35n, 36n, 9_007_199_254_740_993n].map((n) => toPosition({ commit: n, prepare: n }))
  expect([...positions].sort()).toEqual(positions)
  expect(positions.map((position) => fromPosition(position).commit)).toEqual([0n, 1n, 35n, 36n, 9_007_199_254_740_993n])
  expect(fromPosition(toPosition({ commit: 7n, prepare: 5n }))).toEqual({ commit: 7n, prepare: 5n })
})

test('why a subscription broke is reported, once each time', async () => {
  const database = await freshDatabase({ template: logTemplate })
  const server = await startLogServer({ database: database.config })
  const broken: unknown[] = []
  const log = openLog({ connectionString: server.connectionString, onBroken: (error) => void broken.push(error) })
  await log.append('counter', 'no_stream', [{ id: uuidFrom('one'), type: 'Counted', data: { n: 1 }, metadata: {} }])
  const stop = new AbortController()
  const { seen, done } = collect(createFeed(log), START, stop.signal)
  await until('it follows', () => seen.length === 1)
  expect(broken).toEqual([])
  await server.stop()
  await until('it is reported', () => broken.length > 0)
  expect(broken[0]).toBeInstanceOf(Error)
  stop.abort()
  await Promise.all([done, log.close()])
  await database.drop()
})

test('the events of one append come in one batch', async () => {
  const stop = new AbortController()
  const feed = createFeed(rig.log)
  const { batches, done } = batchesAfter(feed, START, stop.signal)
  const streams = Array.from({ length: 20 }, (_, i) => `pair-${i}`)
  for (const stream of streams) {
    await appendTogether(stream, 3)
    await until('it came', () => batches.flat().filter((one) => one === stream).length === 3)
  }
  for (const stream of streams) expect(batches.filter((batch) => batch.includes(stream))).toHaveLength(1)
  stop.abort()
  await Promise.all([done, feed.close()])
})

test.each([
  ['the log', 499],
  ['what is kept of it', 99],
])('a page of %s ends with an append', async (from, before) => {
  const stop = new AbortController()
  const feed = createFeed(rig.log, { page: 100 })
  const all: ReturnType<typeof batchesAfter>[] = []
  const follow = () => all.push(batchesAfter(feed, START, stop.signal))
  if (from !== 'the log') {
    // What comes from now on is kept.
    follow()
    await append('first', 0, 1)
    await until('it follows', () => all[0]!.batches.length === 1)
  }
  await append('counter', 0, before - all.length)
  await appendTogether('pair', 3)
  await append('other', 0, 7)
  follow()
  await until('all came', () => all.every(({ batches }) => batches.flat().length === before + 10))
  for (const { batches } of all) expect(batches.filter((batch) => batch.includes('pair'))).toHaveLength(1)
  stop.abort()
  await Promise.all([...all.map(({ done }) => done), feed.close()])
})

test('a page of the log that is full by weight ends with an append', async () => {
  const stop = new AbortController()
  const heavy = 'x'.repeat(300_000)
  for (let n = 0; n < 27; n++) await appendTogether(`heavy-${n}`, 1, heavy)
  await appendTogether('pair', 3, heavy)
  const feed = createFeed(rig.log)
  const { batches, done } = batchesAfter(feed, START, stop.signal)
  await until('all came', () => batches.flat().length === 30)
  expect(batches.length).toBeGreaterThan(1)
  expect(batches.filter((batch) => batch.includes('pair'))).toHaveLength(1)
  stop.abort()
  await Promise.all([done, feed.close()])
})

test('what is there of an append whose rest is gone comes with what follows it', async () => {
  const stop = new AbortController()
  const feed = createFeed(rig.log)
  const { batches, done } = batchesAfter(feed, START, stop.signal)
  await append('first', 0, 1)
  await until('it follows', () => batches.length === 1)
  const half = { id: uuidFrom('half', 0), type: 'Counted', data: { n: 0 }, metadata: leftOf(1) }
  await rig.log.append('half', 'no_stream', [half])
  await append('other', 0, 1)
  await until('it came', () => batches.flat().length === 3)
  expect(batches.flat()).toEqual(['first', 'half', 'other'])
  stop.abort()
  await Promise.all([done, feed.close()])
})
