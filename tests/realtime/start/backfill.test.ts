import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { RealtimeLimits } from '../../../realtime/limits.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import type { EventSource } from '../../../realtime/source.ts'
import { until } from '../../support/until.ts'
import type { Peer } from '../peer.ts'
import { member, startWorld, type TestNode, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const texts = (peer: Peer) => peer.events('direct:message').map(({ data }) => data.text)
const names = (peer: Peer) => peer.events().map(({ name }) => name)
const reaches = (node: TestNode, position: Position) =>
  until('the node is there', () => node.realtime.stats().head >= position)

/** All that is there in one piece, which has more than lies before a node's start. */
async function* inOne(source: EventSource, after: Position, signal: AbortSignal) {
  const end = await source.head()
  const all: StoredEvent[] = []
  for await (const batch of source.follow(after, signal)) {
    all.push(...batch)
    if (batch.at(-1)!.position >= end) break
  }
  yield all
  if (!signal.aborted) await once(signal, 'abort')
}

/** A node that begins at the end of the log. It reads what is before that from `from` on, once it is let; or not at all. */
async function nodeBehind(from: Position | null, limits: Partial<RealtimeLimits> = {}) {
  const source = createLogSource(world.log)
  let read = () => {}
  const isLet = new Promise<void>((resolve) => {
    read = resolve
  })
  const node = await world.node({
    source: {
      ...source,
      async earlierPosition(events, since) {
        if (since.getTime() > Date.now() - 60_000) return source.earlierPosition(events, since)
        if (!from) await isLet
        return from ?? Promise.reject(new Error('away'))
      },
      async *follow(after, signal) {
        if (after !== from) return yield* source.follow(after, signal)
        await Promise.race([isLet, once(signal, 'abort')])
        yield* inOne(source, after, signal)
      },
    },
    limits: { startEvents: 0, fillEvents: 0, ...limits },
  })
  return { node, read }
}

async function room(word: string): Promise<{ ann: MemberId; bea: MemberId; from: Position }> {
  const [ann, bea] = [member(`Ann ${word}`), member(`Bea ${word}`)]
  for (const who of [ann, bea]) await world.join(who)
  const from = await world.match(ann, bea)
  return { ann, bea, from }
}

test('a node takes sockets before it has read the past, and who resumes from there waits for it', async () => {
  const { ann, bea, from } = await room('waits')
  for (const n of [1, 2, 3]) await world.sendMessage(ann, bea, `past ${n}`)
  const { node, read } = await nodeBehind(from)
  const [waiting, young] = [await world.peer(node, bea, { last: from }), await world.peer(node, bea)]
  await young.next('heartbeat')
  await reaches(node, await world.sendMessage(ann, bea, 'live'))
  await young.event('direct:message')
  expect(waiting.frames.map(({ type }) => type)).toEqual(['ready'])
  read()
  await waiting.next('heartbeat')
  await world.sendMessage(ann, bea, 'after')
  await waiting.event('direct:message', 5)
  expect(texts(waiting)).toEqual(['past 1', 'past 2', 'past 3', 'live', 'after'])
  expect(texts(young)).toEqual(['live', 'after'])
})

test('who comes from before what is read loads again at once', async () => {
  const { ann, bea, from } = await room('before')
  const later = await world.sendMessage(ann, bea, 'past')
  await world.sendMessage(bea, ann, 'also past')
  const { node, read } = await nodeBehind(later)
  const peer = await world.peer(node, bea, { last: from })
  expect((await peer.next('resync')).reason).toBe('gap')
  read()
})

test('what is taken back meanwhile is not sent again', async () => {
  const { ann, bea, from } = await room('back')
  const cat = member('Cat back')
  await world.buzz(cat, bea)
  await world.sendMessage(ann, bea, 'past')
  const { node, read } = await nodeBehind(from)
  await world.withdraw(cat, bea)
  await reaches(node, await world.block(bea, ann))
  read()
  const peer = await world.peer(node, bea, { last: from })
  await peer.event('room:closed')
  expect(names(peer)).toEqual(['unread:changed', 'room:closed'])
})

test('an account that went away in the past closes its room, unless it has come back meanwhile', async () => {
  const rooms = [await room('stays away'), await room('comes back'), await room('is erased')] as const
  const from = rooms[2].from
  for (const { ann } of rooms) await world.account('Deactivate', ann)
  const { node, read } = await nodeBehind(from)
  await world.account('Reactivate', rooms[1].ann)
  await world.account('EraseAccount', rooms[2].ann)
  await reaches(node, await world.log.head())
  read()
  const heard = async ({ bea }: { bea: MemberId }) => {
    const peer = await world.peer(node, bea, { last: from })
    await peer.next('heartbeat')
    return peer.events('room:closed').map(({ data }) => data.roomId)
  }
  expect(await heard(rooms[0])).toEqual([pairIdOf(rooms[0].ann, rooms[0].bea)])
  expect(await heard(rooms[1])).toEqual([])
})

test('a past that cannot be read is a gap for who waits for it', async () => {
  const { ann, bea, from } = await room('fails')
  await world.sendMessage(ann, bea, 'past')
  const { node, read } = await nodeBehind(null)
  const peer = await world.peer(node, bea, { last: from })
  read()
  expect((await peer.next('resync')).reason).toBe('gap')
})

test('a node that lets go of what is newer takes nothing that is older: there is no hole', async () => {
  const { ann, bea, from } = await room('hole')
  const last = await world.sendMessage(ann, bea, 'past')
  const { node, read } = await nodeBehind(from, { ringEvents: 1, ringBytes: 400 })
  const watcher = await world.peer(node, ann)
  for (const n of [1, 2, 3, 4]) await world.sendMessage(ann, bea, `live ${n}`)
  await watcher.event('direct:message', 4)
  read()
  const peer = await world.peer(node, bea, { last })
  expect((await peer.next('resync')).reason).toBe('gap')
})

test('who went away and came back in the past stays at the node', async () => {
  const { ann, bea, from } = await room('stays here')
  await world.account('Deactivate', ann)
  await world.account('Reactivate', ann)
  const { node, read } = await nodeBehind(from)
  const peer = await world.peer(node, ann)
  read()
  const waiting = await world.peer(node, bea, { last: from })
  await waiting.next('heartbeat')
  await peer.settled()
  expect(peer.closeCode).toBeUndefined()
})

test('a node stops while it reads the past', async () => {
  const { from } = await room('stops')
  const { node } = await nodeBehind(from)
  await node.realtime.stop()
  expect(node.realtime.ready()).toBe(false)
})

test('a node that nobody comes back to reads the past soon', async () => {
  const { ann, bea, from } = await room('soon')
  await world.sendMessage(ann, bea, 'past')
  const { node, read } = await nodeBehind(from, { fillAfterMs: 10 })
  const before = node.realtime.stats().floor
  expect(before > from).toBe(true)
  read()
  await until('the past', () => node.realtime.stats().floor === from)
})
