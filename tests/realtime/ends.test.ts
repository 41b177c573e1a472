import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId, MessageId } from '../../domain/shared/ids.ts'
import { CloseCode } from '../../realtime/protocol.ts'
import { until } from '../support/until.ts'
import { member, pairIdOf, sessionOf, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
const people = (...names: string[]) => names.map((name) => member(name)) as [MemberId, MemberId, MemberId]

test('a block in an open chat closes the room on both sides, and nothing of the pair follows', async () => {
  const [ann, bea] = people('Ann b', 'Bea b')
  await world.match(ann, bea)
  const nodes = [await world.node(), await world.node()]
  const [a, b] = [await world.peer(nodes[0]!, ann), await world.peer(nodes[1]!, bea)]
  const roomId = pairIdOf(ann, bea)
  for (const peer of [a, b]) {
    peer.send({ type: 'joinRoom', id: 'j', data: { roomId } })
    await peer.next('ack')
  }
  let stopped = false
  const writing = (async () => {
    while (!stopped) await world.sendMessage(ann, bea, 'on and on').catch(() => undefined)
  })()
  await b.event('direct:message', 3)
  const blockedAt = await world.block(bea, ann)
  const closings = await Promise.all([a, b].map((peer) => peer.event('room:closed')))
  for (const { data } of closings) expect(data).toEqual({ roomId })
  stopped = true
  await writing
  a.send({ type: 'typing', id: 't', data: { roomId, on: true } })
  expect(await a.next('error')).toMatchObject({ for: 't', error: 'Not found' })
  await Promise.all([a, b].map((peer) => peer.settled()))
  for (const peer of [a, b]) {
    expect(peer.events('direct:message').filter(({ pos }) => pos > blockedAt)).toEqual([])
    expect(peer.events().at(-1)!.name).toBe('room:closed')
  }
})

test('an unmatch reads the same as a block', async () => {
  const [ann, bea] = people('Ann u', 'Bea u')
  await world.match(ann, bea)
  const node = await world.node()
  const [a, b] = await Promise.all([ann, bea].map((who) => world.peer(node, who)))
  await world.unmatch(ann, bea)
  const [one, other] = await Promise.all([a!, b!].map((peer) => peer.event('room:closed')))
  expect(one).toEqual(other)
  expect(Object.keys(one!.data)).toEqual(['roomId'])
})

test('the end of an account reads the same as a block to a match who is here', async () => {
  for (const end of ['Deactivate', 'Suspend', 'EraseAccount'] as const) {
    const [ann, bea, cat] = people(`Ann ${end}`, `Bea ${end}`, `Cat ${end}`)
    await world.join(bea)
    const node = await world.node()
    const [a, c] = [await world.peer(node, ann), await world.peer(node, cat)]
    for (const other of [bea, cat]) await world.match(ann, other)
    await a.event('match', 2)
    await world.block(cat, ann)
    const blocked = await a.event('room:closed')
    await (end === 'Suspend' ? world.suspend(bea) : world.account(end, bea))
    const away = await a.event('room:closed', 2)
    expect(away.data).toEqual({ roomId: pairIdOf(ann, bea) })
    expect(Object.keys(away).sort()).toEqual(Object.keys(blocked).sort())
    await c.settled()
    expect(c.events('room:closed')).toHaveLength(1)
  }
})

test('a closed room is the last that is heard of somebody, whether they blocked or their account ended', async () => {
  const ends = {
    block: (bea, ann) => world.block(bea, ann),
    deactivate: (bea) => world.account('Deactivate', bea),
    suspend: (bea) => world.suspend(bea),
    erase: (bea) => world.account('EraseAccount', bea),
  } satisfies Record<string, (bea: MemberId, ann: MemberId) => Promise<unknown>>
  for (const [name, end] of Object.entries(ends)) {
    const [ann, bea] = people(`Ann last ${name}`, `Bea last ${name}`)
    await world.join(bea)
    await world.match(ann, bea)
    const node = await world.node({ limits: { offlineAfterMs: 20 } })
    const [a, b] = [await world.peer(node, ann), await world.peer(node, bea)]
    await until('Ann sees that Bea is here', () => a.frames.some((frame) => frame.type === 'signal'))
    await end(bea, ann)
    await a.event('room:closed')
    const before = a.frames.length
    b.ws.close()
    await until('Bea is offline', () => !node.realtime.isOnline(bea))
    await a.settled()
    expect([name, a.frames.slice(before).filter(({ type }) => type === 'signal')]).toEqual([name, []])
  }
})

test('sockets of revoked sessions close within a second, and those of others stay', async () => {
  const [ann] = people('Ann v')
  await world.join(ann)
  const nodes = [await world.node(), await world.node()]
  const [kept, lost] = [sessionOf('kept'), sessionOf('lost')]
  const peers = await Promise.all(nodes.map((node) => world.peer(node, ann, { session: lost })))
  const other = await world.peer(nodes[0]!, ann, { session: kept })
  const startedAt = performance.now()
  await world.revoke(ann, lost)
  expect(await Promise.all(peers.map((peer) => peer.closed))).toEqual([CloseCode.signedOut, CloseCode.signedOut])
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  await other.settled()
})

test('suspending, deactivating and erasing an account close all its sockets', async () => {
  const node = await world.node()
  const [ann, bea, cat] = people('Ann x', 'Bea x', 'Cat x')
  for (const [who, end] of [
    [ann, () => world.suspend(ann)],
    [bea, () => world.account('Deactivate', bea)],
    [cat, () => world.account('EraseAccount', cat)],
  ] as const) {
    await world.join(who)
    const peer = await world.peer(node, who)
    await end()
    expect(await peer.closed).toBe(CloseCode.signedOut)
    const again = await world.socket(node)
    again.send({ type: 'auth', token: `${who}.${sessionOf('new')}` })
    expect(await again.closed).toBe(CloseCode.signedOut)
  }
})

test('an account that is active again is let in, even when the node hears of it a little late', async () => {
  const [ann] = people('Ann y')
  const node = await world.node()
  await world.join(ann)
  const peer = await world.peer(node, ann)
  await world.account('Deactivate', ann)
  await peer.closed
  const again = await world.socket(node)
  again.send({ type: 'auth', token: `${ann}.${sessionOf('fresh')}` })
  await world.account('Reactivate', ann)
  expect((await again.next('ready')).userId).toBe(ann)
})

test('a session that runs out while its socket is open ends the socket', async () => {
  const [ann] = people('Ann z')
  const until_ = new Date(Date.now() + 300)
  const identity = { member: ann, session: sessionOf('short'), until: until_ }
  const nothing = async () => null
  const authenticate = { waitOf: nothing, flooded: async () => undefined, cookie: nothing, token: async () => identity }
  const node = await world.node({ authenticate })
  const peer = await world.peer(node, ann)
  expect(await peer.closed).toBe(CloseCode.signedOut)
})

test('a socket whose session has no row any more closes, the others stay, and nothing closes without an answer', async () => {
  const [gone, alive] = people('Ann r', 'Bea r')
  const there = new Set([sessionOf(gone), sessionOf(alive)])
  const asked: string[][] = []
  let answers = false
  const node = await world.node({
    limits: { sessionsEveryMs: 20 },
    sessionsThere: async (sessions) => {
      asked.push([...sessions])
      if (!answers) throw new Error('away')
      return sessions.filter((session) => there.has(session))
    },
  })
  const [lost, kept] = [await world.peer(node, gone), await world.peer(node, alive)]
  there.delete(sessionOf(gone))
  const before = asked.length
  await until('it is asked in vain', () => asked.length > before + 3)
  await Promise.all([lost.settled(), kept.settled()])
  answers = true
  expect(await lost.closed).toBe(CloseCode.signedOut)
  await until('it is asked about the other alone', () => asked.at(-1)!.join() === sessionOf(alive))
  await kept.settled()
})

const WORDS = Array.from({ length: 10 }, () => 'x'.repeat(39_000))

/** Long messages in one append behind the `length` events of the pair, sooner than one by one; answers how many. */
async function sendMuch(from: MemberId, to: MemberId, length: number): Promise<number> {
  const stream = `pair-${pairIdOf(from, to)}`
  const messages = WORDS.map((text, index) => ({
    type: 'MessageSent' as const,
    message: randomUUID() as MessageId,
    number: length + index,
    from,
    to,
    text,
    media: null,
    at: new Date(),
  }))
  const ids = messages.map(() => randomUUID())
  const meta = { commandId: randomUUID(), correlationId: randomUUID(), causationId: randomUUID(), actor: from }
  await world.log.append(stream, length - 1, await world.codec.encode(stream, messages, ids, meta))
  return messages.length
}

test('a socket that does not read is cut, the others stay fast, and it comes back to what it missed', async () => {
  const [ann, bea, cat] = people('Ann q', 'Bea q', 'Cat q')
  await world.match(ann, bea)
  await world.match(ann, cat)
  const much = 64 * 1024 * 1024
  const limits = { queuedBytes: 64 * 1024, replayBytes: much, replayBytesPerMinute: much }
  const node = await world.node({ limits })
  const [slow, beside, quick] = await Promise.all([bea, bea, cat].map((who) => world.peer(node, who)))
  slow!.ws.pause()
  const { length } = await world.log.read(`pair-${pairIdOf(ann, bea)}`)
  let count = 0
  await until(
    'the slow socket is cut',
    async () => {
      count += await sendMuch(ann, bea, length + count)
      await beside!.event('direct:message', count)
      return node.realtime.stats().slow > 0
    },
    40_000,
  )
  await world.sendMessage(ann, cat, 'quick')
  await quick!.event('direct:message')
  slow!.ws.resume()
  await slow!.closed
  const seen = slow!.events('direct:message')
  const again = await world.peer(node, bea, { last: seen.at(-1)!.pos })
  await again.event('direct:message', count - seen.length)
  await again.settled()
  const ids = [...seen, ...again.events('direct:message')].map(({ id }) => id)
  expect(new Set(ids).size).toBe(count)
  expect(ids).toHaveLength(count)
}, 90_000)

test('a node that stops says when to come back, and closes every socket', async () => {
  const node = await world.node()
  const peers = await Promise.all(['1', '2', '3', '4'].map((n) => world.peer(node, member(`Drain ${n}`))))
  const stopping = node.realtime.stop({ drainMs: 200 })
  expect(node.realtime.ready()).toBe(false)
  for (const peer of peers) expect((await peer.next('bye')).retryInMs).toBeLessThanOrEqual(200)
  expect(await Promise.all(peers.map((peer) => peer.closed))).toEqual(peers.map(() => CloseCode.drain))
  await stopping
  await expect(world.socket(node)).rejects.toThrow('503')
})

test('a silent socket is let go after two heartbeats, one that answers stays', async () => {
  const node = await world.node({ limits: { heartbeatMs: 500 } })
  const [silent, awake] = await Promise.all([world.peer(node, member('Silent')), world.peer(node, member('Awake'))])
  awake.ws.on('message', (data) => {
    const frame = JSON.parse(data.toString())
    if (frame.type === 'heartbeat') awake.send({ type: 'heartbeat', pos: frame.pos })
  })
  expect(await silent.closed).toBe(1006)
  await awake.settled()
  expect(awake.frames.filter(({ type }) => type === 'heartbeat').length).toBeGreaterThan(2)
})
