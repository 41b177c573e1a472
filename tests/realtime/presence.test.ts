import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileDecider } from '../../domain/profile/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Bus, createLocalBus } from '../../realtime/bus.ts'
import { CHANNEL, createPostgresBus } from '../../realtime/postgres-bus.ts'
import type { ServerFrame } from '../../realtime/protocol.ts'
import { freshDatabase } from '../support/fresh-database.ts'
import { until } from '../support/until.ts'
import type { Peer } from './peer.ts'
import { member, pairIdOf, startWorld, type World } from './world.ts'

let world: World
const buses: Bus[] = []
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  await world.stop()
  await Promise.all(buses.map((bus) => bus.close()))
})
const people = (...names: string[]) => names.map((name) => member(name)) as [MemberId, MemberId, MemberId]
const isPresence = (frame: ServerFrame) => frame.type === 'signal' && frame.name !== 'typing'
const seen = (peer: Peer) =>
  peer.frames
    .filter(isPresence)
    .map((frame) => ('name' in frame ? `${frame.name} ${(frame.data as { userId: string }).userId}` : ''))

test('matches learn who comes and goes, strangers do not', async () => {
  const [ann, bea, eve] = people('Ann p', 'Bea p', 'Eve p')
  await world.match(ann, bea)
  await world.buzz(eve, ann)
  const node = await world.node({ limits: { offlineAfterMs: 50 } })
  const [a, e] = [await world.peer(node, ann), await world.peer(node, eve)]
  const b = await world.peer(node, bea)
  await until('Ann learns of Bea', () => seen(a).includes(`presence:online ${bea}`))
  await until('Bea learns of Ann', () => seen(b).includes(`presence:online ${ann}`))
  expect(node.realtime.isOnline(bea)).toBe(true)
  b.ws.close()
  await until('Ann learns that Bea left', () => seen(a).includes(`presence:offline ${bea}`))
  expect(node.realtime.isOnline(bea)).toBe(false)
  await e.settled()
  expect(seen(e)).toEqual([])
})

test('a page that only reloads makes no noise', async () => {
  const [ann, bea] = people('Ann n', 'Bea n')
  await world.match(ann, bea)
  const node = await world.node({ limits: { offlineAfterMs: 2_000 } })
  const a = await world.peer(node, ann)
  for (let n = 0; n < 3; n++) {
    const b = await world.peer(node, bea)
    await until('Bea is online', () => node.realtime.isOnline(bea))
    b.ws.close()
    await b.closed
  }
  await a.settled()
  expect(seen(a)).toEqual([`presence:online ${bea}`])
})

test('who is invisible or hidden is not shown, and disappears in the moment they become so', async () => {
  const [ann, bea, cat] = people('Ann h', 'Bea h', 'Cat h')
  await world.match(ann, bea)
  await world.match(ann, cat)
  const hidden = new Set<MemberId>([cat])
  const node = await world.node({ showsPresence: async (who) => !hidden.has(who) })
  const [a] = [await world.peer(node, ann), await world.peer(node, cat), await world.peer(node, bea)]
  await until('Bea is online', () => seen(a).includes(`presence:online ${bea}`))
  hidden.add(bea)
  const event = { type: 'VisibilityChanged' as const, member: bea, visibility: 'invisible' as const, at: new Date() }
  const ids = [crypto.randomUUID()]
  const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: bea }
  const stream = `${profileDecider.category}-${bea}`
  await world.log.append(stream, 'no_stream', await world.codec.encode(stream, [event], ids, meta))
  await until('Bea is gone', () => seen(a).includes(`presence:offline ${bea}`))
  expect(seen(a).some((line) => line.includes(cat))).toBe(false)
  expect(node.realtime.isOnline(cat)).toBe(false)
})

test('a block ends presence between the two', async () => {
  const [ann, bea] = people('Ann k', 'Bea k')
  await world.match(ann, bea)
  const node = await world.node({ limits: { offlineAfterMs: 20 } })
  const [a, b] = [await world.peer(node, ann), await world.peer(node, bea)]
  await until('they know of each other', () => seen(a).length > 0 && seen(b).length > 0)
  await world.block(ann, bea)
  await a.event('room:closed')
  const before = seen(b).length
  a.ws.close()
  await until('Ann is gone', () => !node.realtime.isOnline(ann))
  await b.settled()
  expect(seen(b)).toHaveLength(before)
})

const kinds = {
  'one process': async () => createLocalBus(),
  Postgres: async () => createPostgresBus((await freshDatabase()).config, () => undefined),
}
for (const [kind, create] of Object.entries(kinds)) {
  test(`nodes share presence and typing over the bus of ${kind}`, async () => {
    const [ann, bea] = people(`Ann ${kind}`, `Bea ${kind}`)
    await world.match(ann, bea)
    const bus = await create()
    buses.push(bus)
    const limits = { offlineAfterMs: 20 }
    const [one, other] = [await world.node({ bus, limits }), await world.node({ bus, limits })]
    const [a, b] = [await world.peer(one, ann), await world.peer(other, bea)]
    await until('each learns of the other', () => seen(a).length > 0 && seen(b).length > 0)
    const roomId = pairIdOf(ann, bea)
    b.send({ type: 'joinRoom', id: 'j', data: { roomId } })
    await b.next('ack')
    a.send({ type: 'typing', data: { roomId, on: true } })
    await until('typing', () => b.frames.some((frame) => frame.type === 'signal' && frame.name === 'typing'))
    a.ws.close()
    await until('Bea learns that Ann left', () => seen(b).includes(`presence:offline ${ann}`))
  })
}

test('two nodes with connections of their own hear each other over Postgres', async () => {
  const { config } = await freshDatabase()
  const [one, other] = [createPostgresBus(config, () => undefined), createPostgresBus(config, () => undefined)]
  buses.push(one, other)
  const heard: unknown[] = []
  const [own, echo] = [one.join((message) => heard.push(['one', message])), other.join((m) => heard.push(['other', m]))]
  const message = { type: 'hello' as const, node: 'n' }
  await until('a word arrives', () => {
    if (heard.length === 0) own.send(message)
    return heard.length > 0
  })
  expect(heard[0]).toEqual(['other', message])
  heard.length = 0
  // Whoever may use the database can notify.
  const client = new pg.Client(config)
  await client.connect()
  for (const text of ['no json', 'null', '']) await client.query('select pg_notify($1, $2)', [CHANNEL, text])
  await client.end()
  echo.send(message)
  await until('the answer', () => heard.some((entry) => (entry as string[])[0] === 'one'))
})
