import { afterEach, expect, test, vi } from 'vitest'
import { NetworkTurns, RequestTurns } from '../../../server/http/network-turns.ts'

const AT_ONCE = 8
const TURN_MS = 100

afterEach(() => vi.useRealTimers())

/** Asks for so many turns; `begun` are those that have one, with how each ends. */
async function ask(turns: NetworkTurns, network: string, count: number) {
  const begun: (() => void)[] = []
  for (let at = 0; at < count; at++) void turns.begin(network).then((end) => begun.push(end))
  await Promise.resolve().then(() => undefined)
  return begun
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('eight of a network begin, and each next one once one of them ends', async () => {
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

test('of all networks sixteen begin; those that wait take turns, whoever has many', async () => {
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
  expect(order).toEqual(['c', 'late', 'a', 'c', 'late', 'a', 'c', 'a'])
})

test('who was vouched for has every other place, however many strangers wait', async () => {
  const turns = new NetworkTurns(60_000)
  const order: string[] = []
  const ends: (() => void)[] = []
  const queue = (network: string, holder?: string) =>
    void turns.begin(network, holder).then((end) => {
      order.push(holder ?? network)
      ends.push(end)
    })
  for (let at = 0; at < 200; at++) queue(`stranger${at}`)
  for (const member of ['Ann', 'Ben', 'Cem']) queue('192.0.2.1', member)
  await settled()
  order.length = 0
  for (let at = 0; at < 7; at++) {
    ends.shift()!()
    await settled()
  }
  const [a, b, c, d] = [16, 17, 18, 19].map((at) => `stranger${at}`)
  expect(order).toEqual(['Ann', a, 'Ben', b, 'Cem', c, d])
})

test('one holder is one in line, from however many networks', async () => {
  const turns = new NetworkTurns(60_000)
  const begun: string[] = []
  const queue = (network: string, holder: string) => void turns.begin(network, holder).then(() => begun.push(holder))
  for (let at = 0; at < 200; at++) queue(`n${at}`, 'Mallory')
  queue('n0', 'Ann')
  await settled()
  expect(begun).toEqual([...Array(AT_ONCE).fill('Mallory'), 'Ann'])
})

test('what takes long gives its place to the next, and does not give it twice', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const turns = new NetworkTurns()
  const begun = await ask(turns, 'a', 3 * AT_ONCE)
  await settled()
  vi.advanceTimersByTime(TURN_MS)
  await settled()
  expect(begun).toHaveLength(2 * AT_ONCE)
  for (const end of begun.slice(0, AT_ONCE)) end()
  await settled()
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

test('of what brings files two of all networks begin, one of them in the place of each that ends; pages wait for none', async () => {
  const turns = new RequestTurns(60_000)
  const begun: (() => void)[] = []
  for (let at = 0; at < 10; at++)
    void turns.begin({ network: `n${at}`, bringsFiles: true }).then((end) => begun.push(end))
  await settled()
  expect(begun).toHaveLength(2)
  await Promise.all(Array.from({ length: 14 }, (_, at) => turns.begin({ network: `page${at}` })))
  for (const end of [...begun, ...begun]) end()
  await settled()
  expect(begun).toHaveLength(4)
})
