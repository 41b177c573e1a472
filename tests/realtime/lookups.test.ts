import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createLogSource } from '../../realtime/log-source.ts'
import { Preparing } from '../../realtime/preparing.ts'
import { CloseCode } from '../../realtime/protocol.ts'
import type { EventSource } from '../../realtime/source.ts'
import { until } from '../support/until.ts'
import type { Peer } from './peer.ts'
import { member, pairIdOf, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
const people = (...names: string[]) => names.map((name) => member(name)) as [MemberId, MemberId, MemberId, MemberId]
const namesOf = (peer: Peer) => peer.events().map(({ name }) => name)

/** A node that gets events one by one, so that each buzz makes it look into the stream; that look waits for `open`. */
async function slowNode({ fails = 0, heartbeatMs = 25_000, pushesWaiting = 10_000 } = {}) {
  const source = createLogSource(world.log)
  let [open, waits, isStarted] = [() => {}, 0, false]
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const slow: EventSource = {
    ...source,
    async *follow(after, signal) {
      for await (const batch of source.follow(after, signal)) for (const event of batch) yield [event]
    },
    async read(...asked) {
      if (!isStarted) return source.read(...asked)
      waits++
      await gate
      if (fails-- > 0) throw new Error('away')
      return source.read(...asked)
    },
  }
  const node = await world.node({ source: slow, limits: { heartbeatMs, pushesWaiting } })
  isStarted = true
  return { node, open: () => open(), waits: () => waits }
}

test('a look-up that takes long delays nobody else, and keeps the order of each', async () => {
  const [ann, bea, cat, dan] = people('Ann l', 'Bea l', 'Cat l', 'Dan l')
  await world.match(bea, cat)
  await world.match(cat, dan)
  const { node, open, waits } = await slowNode({ fails: 2, heartbeatMs: 1_500 })
  const [b, c] = [await world.peer(node, bea), await world.peer(node, cat)]
  const buzzed = await world.buzz(ann, bea)
  await world.sendMessage(cat, bea, 'behind the buzz')
  await world.sendMessage(dan, cat, 'beside it')
  await c.event('direct:message', 2)
  await b.settled()
  expect([waits(), namesOf(b)]).toEqual([1, []])
  // What is acknowledged, and where somebody begins, is before what waits.
  b.send({ type: 'joinRoom', id: 'j', data: { roomId: pairIdOf(bea, cat) } })
  expect((await b.next('ack')).pos < buzzed).toBe(true)
  const second = await world.peer(node, bea)
  const ready = second.frames.find(({ type }) => type === 'ready') as { pos: string }
  expect(ready.pos < buzzed).toBe(true)
  const beats = () => b.frames.filter((frame) => frame.type === 'heartbeat').map(({ pos }) => pos)
  await until('a heartbeat meanwhile', () => beats().length > 1)
  expect(beats().every((pos) => pos < buzzed)).toBe(true)
  open()
  for (const peer of [b, second]) {
    await peer.event('direct:message')
    expect(namesOf(peer)).toEqual(['notification', 'direct:message'])
  }
  const again = await world.peer(node, bea, { last: ready.pos })
  await again.next('heartbeat')
  expect(namesOf(again)).toEqual(['notification', 'direct:message'])
})

const ends = {
  withdrawn: async (ann: MemberId, bea: MemberId) => world.withdraw(ann, bea),
  blocked: async (ann: MemberId, bea: MemberId) => world.block(bea, ann),
  erased: async (ann: MemberId) => {
    await world.account('EraseAccount', ann)
    return world.log.head()
  },
  suspended: async (ann: MemberId) => {
    await world.suspend(ann)
    return world.log.head()
  },
}
test.each(Object.entries(ends))('a buzz that is %s while it waits reaches nobody, live or later', async (how, end) => {
  const [ann, bea, cat] = people(`Ann ${how}`, `Bea ${how}`, `Cat ${how}`)
  await world.join(ann)
  await world.match(bea, cat)
  const from = await world.log.head()
  const { node, open } = await slowNode()
  const b = await world.peer(node, bea)
  await world.buzz(ann, bea)
  const endedAt = await end(ann, bea)
  await until('the node knows', () => node.realtime.stats().head >= endedAt)
  open()
  await world.sendMessage(cat, bea, 'after it')
  await b.event('direct:message')
  // How much is unread is asked again, which names nobody.
  const isCounted = ['withdrawn', 'blocked'].includes(how)
  const heard = [...(isCounted ? ['unread:changed'] : []), 'direct:message']
  expect(namesOf(b)).toEqual(heard)
  const later = await world.peer(node, bea, { last: from })
  await later.next('heartbeat')
  expect(namesOf(later)).toEqual(heard)
})

test('messages that wait behind something else are gone with a block', async () => {
  const [ann, bea, cat] = people('Ann w', 'Bea w', 'Cat w')
  await world.match(ann, bea)
  const { node, open } = await slowNode()
  const [a, b] = [await world.peer(node, ann), await world.peer(node, bea)]
  await world.buzz(cat, bea)
  await world.sendMessage(ann, bea, 'too late')
  await world.block(bea, ann)
  // His own copy does not wait, and neither does his end of the room.
  await a.event('room:closed')
  expect(namesOf(a)).toEqual(['direct:message', 'room:closed'])
  open()
  await b.event('room:closed')
  expect(namesOf(b)).toEqual(['notification', 'room:closed'])
})

test('a name that never comes is left out, and delays nobody else', async () => {
  const [ann, bea, cat, dan] = people('Ann n', 'Bea n', 'Cat n', 'Dan n')
  await world.match(cat, dan)
  const node = await world.node({ namesOf: () => new Promise(() => undefined) })
  const [b, d] = [await world.peer(node, bea), await world.peer(node, dan)]
  const order: string[] = []
  for (const [who, peer] of [
    ['Bea', b],
    ['Dan', d],
  ] as const)
    peer.ws.on('message', (data) => JSON.parse(data.toString()).type === 'event' && order.push(who))
  await Promise.all([world.buzz(ann, bea), world.sendMessage(cat, dan, 'at once')])
  expect((await b.event('notification')).data.message).toContain('Someone')
  expect(order).toEqual(['Dan', 'Bea'])
})

test('of look-ups of names that do not end no more than four are at work', async () => {
  const [ann, bea, cat, dan] = people('Ann m', 'Bea m', 'Cat m', 'Dan m')
  let asked = 0
  const namesOf = () => {
    asked++
    return new Promise<never>(() => undefined)
  }
  const node = await world.node({ namesOf })
  const b = await world.peer(node, bea)
  for (const who of [ann, cat, dan, ...people('Eve m', 'Fay m', 'Gil m')]) {
    await world.buzz(who, bea)
    await b.settled()
  }
  expect((await b.event('notification', 6)).data.message).toContain('Someone')
  expect(asked).toBe(4)
})

test('who comes while four look-ups of names are at work is named by the next one', async () => {
  const asked: string[][] = []
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const namesOf = async (members: readonly MemberId[]) => {
    asked.push([...members])
    await gate
    return new Map(members.map((one) => [one, 'Named']))
  }
  const signal = new AbortController().signal
  const unused = () => expect.unreachable()
  const deps = { source: createLogSource(world.log), namesOf, logLine: unused, signal, failed: unused }
  const preparing = new Preparing(deps)
  const event = (who: MemberId) => ({ type: 'Buzzed', from: who, to: member('Bea z'), via: 'discover' }) as never
  const all = Array.from({ length: 9 }, (_, n) => member(`Buzzer ${n}`))
  const names = all.map((who) => preparing.names([event(who)]))
  expect(asked).toHaveLength(4)
  open()
  const found = await Promise.all(names)
  expect(found.map((one, n) => one?.get(all[n]!))).toEqual(all.map(() => 'Named'))
  expect(asked).toHaveLength(5)
})

test('a node reads no further while too much waits', async () => {
  const [ann, bea, cat] = people('Ann f', 'Bea f', 'Cat f')
  await world.match(ann, cat)
  const { open, node } = await slowNode({ pushesWaiting: 0 })
  const [b, c] = [await world.peer(node, bea), await world.peer(node, cat)]
  const buzzed = await world.buzz(ann, bea)
  const beside = await world.node()
  const sent = await world.sendMessage(ann, cat, 'after')
  await until('another node knows', () => beside.realtime.stats().head >= sent)
  await c.settled()
  expect(node.realtime.stats().head).toBe(buzzed)
  open()
  await Promise.all([b.event('notification'), c.event('direct:message')])
})

test('a node that stops does not wait for what waits', async () => {
  const [ann, bea] = people('Ann s', 'Bea s')
  const { node } = await slowNode({ pushesWaiting: 0 })
  const b = await world.peer(node, bea)
  const buzzed = await world.buzz(ann, bea)
  await until('the node knows', () => node.realtime.stats().head >= buzzed)
  await node.realtime.stop()
  expect(await b.closed).toBe(CloseCode.drain)
})
