import { afterEach, expect, test, vi } from 'vitest'
import { Arrivals } from '../../../server/http/turns/arrivals.ts'
import { NetworkTurns, type TurnOptions } from '../../../server/http/turns/network-turns.ts'
import { RequestTurns } from '../../../server/http/turns/request-turns.ts'
import { until } from '../../support/until.ts'

const AT_ONCE = 2
const OF_STRANGERS = 4
const OF_HOLDER = 4
const TURN_MS = 100

afterEach(() => vi.useRealTimers())

/** Asks for so many turns; `begun` are those that have one, with how each ends. */
async function ask(turns: NetworkTurns, network: string, count: number) {
  const begun: (() => void)[] = []
  for (let at = 0; at < count; at++) void turns.begin(network).then((end) => begun.push(end))
  await Promise.resolve().then(() => undefined)
  return begun
}

/** Takes the thread. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) {}
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('two of a network begin, and each next one once one of them ends', async () => {
  const turns = new NetworkTurns()
  const begun = await ask(turns, 'a', 20)
  await settled()
  expect(begun).toHaveLength(AT_ONCE)
  for (const more of [1, 2]) {
    begun[0]?.()
    begun[more]?.()
    await settled()
    expect(begun).toHaveLength(AT_ONCE + 1 + more)
  }
})

test('others do not wait for a network that has many', async () => {
  const turns = new NetworkTurns()
  await ask(turns, 'a', 500)
  const other = await ask(turns, 'b', 1)
  await settled()
  expect(other).toHaveLength(1)
})

test('of all networks four begin; those that wait take turns, whoever has many', async () => {
  const turns = new NetworkTurns()
  const order: string[] = []
  const ends: (() => void)[] = []
  const queue = (network: string, count: number) => {
    for (let at = 0; at < count; at++)
      void turns.begin(network).then((end) => {
        order.push(network)
        ends.push(end)
      })
  }
  for (const network of ['a', 'b', 'c']) queue(network, 100)
  queue('late', 2)
  await settled()
  expect(order).toEqual([...Array(AT_ONCE).fill('a'), ...Array(AT_ONCE).fill('b')])
  order.length = 0
  for (let at = 0; at < 8; at++) {
    ends.shift()!()
    await settled()
  }
  expect(order).toEqual(['c', 'late', 'a', 'c', 'late', 'b', 'a', 'c'])
})

test('of networks that wait, the one whose requests took least of late comes next, until that is long ago', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const turns = new NetworkTurns({ ofAll: 1, turnMs: 3_600_000, openMs: 3_600_000 })
  const order: string[] = []
  let end = () => {}
  const queue = (network: string, holder = network) =>
    void turns.begin(network, holder).then((ends) => {
      order.push(network)
      end = ends
    })
  for (const name of ['slow', 'slow', 'slow', 'quick', 'quick', 'quick']) queue(name)
  await settled()
  const pass = async (ms: number) => {
    vi.advanceTimersByTime(ms)
    end()
    await settled()
  }
  for (const ms of [1_000, 10, 10, 10]) await pass(ms)
  expect(order).toEqual(['slow', 'quick', 'quick', 'quick', 'slow'])
  queue('new')
  await pass(1_000)
  await pass(10)
  expect(order.slice(5)).toEqual(['new', 'slow'])
  // While another has its turn, what was before is as good as forgotten.
  queue('other')
  await pass(0)
  for (const name of ['slow', 'new']) queue(name)
  await pass(600_000)
  expect(order.slice(7)).toEqual(['other', 'slow'])
})

test('strangers have half of the places; whoever was vouched for begins beside them', async () => {
  const turns = new NetworkTurns({ turnMs: 60_000 })
  const begun: string[] = []
  for (let at = 0; at < 200; at++) void turns.begin(`n${at}`).then(() => begun.push('stranger'))
  for (const member of ['Ann', 'Ben']) void turns.begin('n0', member).then(() => begun.push(member))
  await settled()
  expect(begun).toEqual([...Array(OF_STRANGERS).fill('stranger'), 'Ann', 'Ben'])
})

test('who was vouched for has every other place where all are taken, however many strangers wait', async () => {
  const turns = new NetworkTurns({ turnMs: 60_000 })
  const order: string[] = []
  const ends: (() => void)[] = []
  const queue = (network: string, holder?: string) =>
    void turns.begin(network, holder).then((end) => {
      order.push(holder ?? network)
      ends.push(end)
    })
  for (let at = 0; at < 200; at++) queue(`stranger${at}`)
  for (const member of ['Dan', 'Eve', 'Fay', 'Gus', 'Ann', 'Ben', 'Cem']) queue('192.0.2.1', member)
  await settled()
  expect(order).toHaveLength(8)
  order.length = 0
  for (let at = 0; at < 7; at++) {
    ends.shift()!()
    await settled()
  }
  const [a, b, c, d] = [4, 5, 6, 7].map((at) => `stranger${at}`)
  expect(order).toEqual([a, 'Ann', b, 'Ben', c, 'Cem', d])
})

test('one holder is one in line, from however many networks', async () => {
  const turns = new NetworkTurns({ turnMs: 60_000 })
  const begun: string[] = []
  const queue = (network: string, holder: string) => void turns.begin(network, holder).then(() => begun.push(holder))
  for (let at = 0; at < 200; at++) queue(`n${at}`, 'Mallory')
  queue('n0', 'Ann')
  await settled()
  expect(begun).toEqual([...Array(OF_HOLDER).fill('Mallory'), 'Ann'])
})

/** A clock that a test moves, and turns that look at it. */
function timed(options: Omit<TurnOptions, 'clock'> = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  let free = 0
  const turns = new NetworkTurns({ turnMs: TURN_MS, ...options, clock: () => free })
  const pass = async (ms: number, freeFor = ms) => {
    free += freeFor
    vi.advanceTimersByTime(ms)
    await settled()
  }
  return { turns, pass }
}

test('what takes long gives its place to the next, and does not give it twice', async () => {
  const { turns, pass } = timed()
  const begun = await ask(turns, 'a', 3 * AT_ONCE)
  await pass(TURN_MS)
  expect(begun).toHaveLength(2 * AT_ONCE)
  for (const end of begun.slice(0, AT_ONCE)) end()
  await settled()
  expect(begun).toHaveLength(2 * AT_ONCE)
})

test('time in which the thread is busy takes nobody the turn', async () => {
  const { turns, pass } = timed()
  const begun = await ask(turns, 'a', 3 * AT_ONCE)
  await pass(100 * TURN_MS, 0)
  expect(begun).toHaveLength(AT_ONCE)
  await pass(TURN_MS)
  expect(begun).toHaveLength(2 * AT_ONCE)
})

test('the thread is busy while it works, and a turn lapses in the time in which it waits', async () => {
  const turnMs = 40
  const turns = new NetworkTurns({ turnMs })
  const begun = await ask(turns, 'a', 2 * AT_ONCE)
  const end = performance.now() + 4 * turnMs
  while (performance.now() < end) {
    work(5)
    await settled()
  }
  expect(begun).toHaveLength(AT_ONCE)
  await until('the others begin', () => begun.length === 2 * AT_ONCE)
})

test('of one network so many are open at once, however long they wait, and another begins beside', async () => {
  const { turns, pass } = timed({ openOfLine: 12 })
  const begun = await ask(turns, 'a', 40)
  for (let round = 0; round < 10; round++) await pass(TURN_MS)
  expect(begun).toHaveLength(12)
  expect(await ask(turns, 'b', 1)).toHaveLength(1)
  begun[0]?.()
  await settled()
  expect(begun).toHaveLength(13)
})

test('of all strangers so many are open at once; who was vouched for begins beside them', async () => {
  const { turns, pass } = timed({ openOfStrangers: 20 })
  const all: (() => void)[] = []
  for (let at = 0; at < 60; at++) void turns.begin(`n${at}`).then((end) => all.push(end))
  for (let round = 0; round < 10; round++) await pass(TURN_MS)
  expect(all).toHaveLength(20)
  let isBegun = false
  void turns.begin('n0', 'Ann').then(() => {
    isBegun = true
  })
  await settled()
  expect(isBegun).toBe(true)
  all[0]?.()
  await settled()
  expect(all).toHaveLength(21)
})

test('files that wait leave most of the places of members to everything else', async () => {
  const turns = new RequestTurns({ turnMs: 1, clock: () => performance.now() })
  const files: (() => void)[] = []
  for (let at = 0; at < 600; at++)
    void turns.begin({ network: 'a', holder: `m${at % 60}`, bringsFiles: true }).then((end) => files.push(end))
  await until('files wait', () => files.length === 96)
  const end = await turns.begin({ network: 'a', holder: 'Ann' })
  end()
  expect(files).toHaveLength(96)
})

test('whatever is never answered is counted no more in the end', async () => {
  const { turns, pass } = timed({ openOfLine: AT_ONCE, openMs: 1_000 })
  const begun = await ask(turns, 'a', 2 * AT_ONCE)
  await pass(900)
  expect(begun).toHaveLength(AT_ONCE)
  await pass(200)
  expect(begun).toHaveLength(2 * AT_ONCE)
})

test('all of a crowd are answered in the end, and a new one finds the places free', async () => {
  const turns = new NetworkTurns()
  for (let round = 0; round < 2; round++)
    await Promise.all(Array.from({ length: 100 }, async () => (await turns.begin('a'))()))
  const begun = await ask(turns, 'a', AT_ONCE)
  await settled()
  expect(begun).toHaveLength(AT_ONCE)
})

test('of what brings files two begin, one of them of strangers; pages wait for none', async () => {
  const turns = new RequestTurns({ turnMs: 60_000 }, new Arrivals(0))
  const begun: (() => void)[] = []
  for (let at = 0; at < 10; at++)
    void turns.begin({ network: `n${at}`, bringsFiles: true }).then((end) => begun.push(end))
  await settled()
  expect(begun).toHaveLength(1)
  for (const holder of ['Ann', 'Ben'])
    void turns.begin({ network: 'n0', holder, bringsFiles: true }).then((end) => begun.push(end))
  await settled()
  expect(begun).toHaveLength(2)
  await Promise.all(Array.from({ length: OF_STRANGERS - 1 }, (_, at) => turns.begin({ network: `page${at}` })))
  begun[1]?.()
  await settled()
  expect(begun).toHaveLength(3)
})

test('a turn that is given up for a while begins again, and after the end gives its place back at once', async () => {
  const turns = new RequestTurns({ turnMs: 60_000, ofAll: 4 }, new Arrivals(0))
  const one = turns.of({ network: 'a' })
  const other = turns.of({ network: 'a' })
  await one.begin()
  one.pause()
  await other.begin()
  let isBack = false
  const back = one.begin().then(() => {
    isBack = true
  })
  await settled()
  expect(isBack).toBe(false)
  one.over()
  other.over()
  await back
  await turns.of({ network: 'a' }).begin()
})
