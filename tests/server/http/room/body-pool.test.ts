import { expect, test } from 'vitest'
import { OPEN_BYTES } from '../../../../server/http/room/body.ts'
import { BodyRoom } from '../../../../server/http/room/body-room.ts'

const KIB = 1024
const SECOND = 1_000
const visitor = { holder: 'visitor', network: 'a', isVisitor: true }

/** A room in which so many bodies of visitors may be on their way, of so many a network; `cut` has those that were cut off. */
function roomFor(all: number, ofNetwork: number) {
  let at = 0
  const caps = { holder: ofNetwork * OPEN_BYTES, network: 4 * ofNetwork * OPEN_BYTES, total: 4 * all * OPEN_BYTES }
  const room = new BodyRoom({ caps, now: () => at })
  const cut: string[] = []
  const open = (name: string, network: string, holder = `proof of ${network}`) => {
    const body = room.enter(network, undefined)
    body.foundOf(holder, true)
    body.open(() => void cut.push(name))
    return body
  }
  const pass = (ms: number) => {
    at += ms
  }
  return { open, cut, pass }
}

test('in a full room one goes of the network that has most, never the newcomer', () => {
  const { open, cut } = roomFor(6, 4)
  for (const name of ['a1', 'a2', 'a3', 'a4']) open(name, 'a')
  open('b1', 'b')
  open('b2', 'b')
  open('c1', 'c')
  expect(cut).toEqual(['a1'])
  open('c2', 'c')
  expect(cut).toEqual(['a1', 'a2'])
})

test('in a network that is full one goes of the proof that has most', () => {
  const { open, cut } = roomFor(8, 4)
  open('ann', 'a', 'ann')
  for (const name of ['m1', 'm2', 'm3']) open(name, 'a', 'mallory')
  open('bea', 'a', 'bea')
  expect(cut).toEqual(['m1'])
})

test('of networks that have as much the slowest body goes, and not one that comes steadily', async () => {
  const { open, cut, pass } = roomFor(4, 4)
  const phone = open('phone', 'a')
  const stalled = ['b', 'c', 'd'].map((network) => open(network, network))
  for (const body of stalled) expect(body.take(64 * KIB)).toBe(true)
  for (const body of stalled) await body.toDisk(64 * KIB, visitor)
  for (let second = 0; second < 30; second++) {
    pass(SECOND)
    expect(phone.take(50 * KIB)).toBe(true)
    await phone.toDisk(50 * KIB, visitor)
  }
  for (const network of ['e', 'f', 'g']) open(network, network)
  expect(cut).toEqual(['b', 'c', 'd'])
})

test('a body that has come whole is not cut off, and what it took while it came is free', () => {
  const { open, cut } = roomFor(2, 2)
  open('whole', 'a').whole()
  open('b1', 'b')
  open('c1', 'c')
  expect(cut).toEqual([])
  open('d1', 'd')
  expect(cut).toEqual(['b1'])
})

test('what has come whole counts, also where there is no room for it', () => {
  const { open } = roomFor(2, 2)
  const forms = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((network) => {
    const form = open(network, network)
    expect(form.take(180 * KIB)).toBe(true)
    form.whole()
    return form
  })
  for (const form of forms.slice(0, 4)) form.end()
  expect(open('h', 'h').take(200 * KIB)).toBe(false)
  for (const form of forms.slice(4)) form.end()
  expect(open('i', 'i').take(200 * KIB)).toBe(true)
})

test('of one that is cut off nothing counts any more, and no more of it is taken', async () => {
  const { open, cut } = roomFor(1, 1)
  const first = open('first', 'a')
  const second = open('second', 'b')
  expect(cut).toEqual(['first'])
  expect(first.take(1)).toBe(false)
  first.whole()
  expect(await first.toDisk(1, visitor)).toBe(false)
  first.end()
  second.end()
  open('third', 'c')
  expect(cut).toEqual(['first'])
})

test('text counts beside what any body takes, and whoever brings most of it makes room', () => {
  const { open, cut } = roomFor(4, 4)
  const long = open('long', 'a')
  for (let piece = 0; piece < 11; piece++) expect(long.take(64 * KIB)).toBe(true)
  open('b1', 'b')
  open('c1', 'c')
  expect(cut).toEqual(['long'])
})

test('on a disk that many networks have filled evenly, a slow newcomer with little stays', async () => {
  const MIB = 1024 * KIB
  let at = 0
  const disk = { holder: 128 * MIB, network: 256 * MIB, total: 2048 * MIB }
  const room = new BodyRoom({ disk, now: () => at })
  const cut: string[] = []
  const begin = (network: string) => {
    const body = room.enter(network, undefined)
    body.foundOf(network, true)
    body.open(() => {
      cut.push(network)
      queueMicrotask(() => body.end())
    })
    const send = async (bytes: number) => {
      body.take(bytes)
      return body.toDisk(bytes, { holder: network, network, isVisitor: true })
    }
    return { send }
  }
  const others = Array.from({ length: 40 }, (_, n) => begin(`network ${n}`))
  for (const { send } of others) await send(12 * MIB)
  const phone = begin('phone')
  expect(await phone.send(100 * KIB)).toBe(true)
  at += 60 * SECOND
  for (const { send } of others) await send(MIB)
  expect(cut.length).toBeGreaterThan(0)
  expect(cut).not.toContain('phone')
  expect(await phone.send(100 * KIB)).toBe(true)
})
