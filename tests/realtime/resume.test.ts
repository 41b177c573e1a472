import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type MemberId, membersOf, pairIdOf } from '../../domain/shared/ids.ts'
import { START } from '../../domain/shared/recorded.ts'
import { createLogSource } from '../../realtime/log-source.ts'
import { until } from '../support/until.ts'
import { member, startWorld, storedRights, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
const people = (...names: string[]) => names.map((name) => member(name)) as [MemberId, MemberId, MemberId]
const texts = (peer: { events(name: 'direct:message'): { data: { text: string } }[] }) =>
  peer.events('direct:message').map(({ data }) => data.text)

/** Sends so many words, and answers the position of each. */
async function sendMessages(from: MemberId, to: MemberId, count: number, word = 'word') {
  const positions = []
  for (let n = 1; n <= count; n++) positions.push(await world.sendMessage(from, to, `${word} ${n}`))
  return positions
}

test('a socket resumes from the last position it saw, with nothing lost and nothing twice', async () => {
  const [ann, bea] = people('Ann 1', 'Bea 1')
  await world.match(ann, bea)
  const node = await world.node()
  const first = await world.peer(node, bea)
  await world.sendMessage(ann, bea, 'before')
  const { pos } = await first.event('direct:message')
  first.ws.terminate()
  await sendMessages(ann, bea, 5)
  const again = await world.peer(node, bea, { last: pos })
  await world.sendMessage(ann, bea, 'after')
  await until('the word after', () => texts(again).includes('after'))
  expect(texts(again)).toEqual(['word 1', 'word 2', 'word 3', 'word 4', 'word 5', 'after'])
})

test('a node that starts later replays what happened before it, from the position of a page load', async () => {
  const [ann, bea] = people('Ann 2', 'Bea 2')
  const from = await world.match(ann, bea)
  await sendMessages(ann, bea, 3)
  const peer = await world.peer(await world.node(), bea, { last: from })
  await peer.next('heartbeat')
  expect(texts(peer)).toEqual(['word 1', 'word 2', 'word 3'])
})

test('a node may begin from the relationships of the read model instead of the whole log', async () => {
  const [ann, bea] = people('Ann 3', 'Bea 3')
  const position = await world.match(ann, bea)
  const readRights = storedRights({ position, matched: [membersOf(pairIdOf(ann, bea))] })
  const [node, empty] = await Promise.all([
    world.node({ readRights, limits: { startEvents: 0, fillEvents: 0, ringMs: 0 } }),
    world.node({ readRights: storedRights({ position }) }),
  ])
  const [peer, unmatched] = await Promise.all([world.peer(node, bea), world.peer(empty, bea)])
  await world.sendMessage(ann, bea, 'hello')
  await peer.event('direct:message')
  await until('the other node is there too', () => empty.realtime.stats().head >= node.realtime.stats().head)
  await unmatched.settled()
  expect(texts(unmatched)).toEqual([])
})

test('a member who reconnects after a block gets nothing of the other any more, not even what came before it', async () => {
  const [ann, bea, cat] = people('Ann 4', 'Bea 4', 'Cat 4')
  const from = await world.match(ann, bea)
  await world.match(bea, cat)
  await world.buzz(cat, ann)
  const node = await world.node()
  await sendMessages(ann, bea, 3)
  await world.sendMessage(cat, bea, 'from Cat')
  const blockedAt = await world.block(bea, ann)
  await until('the node knows', () => node.realtime.stats().head >= blockedAt)
  for (const here of [node, await world.node()]) {
    const [b, a] = [await world.peer(here, bea, { last: from }), await world.peer(here, ann, { last: from })]
    await Promise.all([b.next('heartbeat'), a.next('heartbeat')])
    expect(texts(b)).toEqual(['from Cat'])
    expect(b.events('room:closed').map(({ data }) => data)).toEqual([{ roomId: pairIdOf(ann, bea) }])
    expect(texts(a)).toEqual([])
    expect(a.events('room:closed')).toHaveLength(1)
  }
})

test('a stranger who is blocked hears nothing of it, live or later', async () => {
  const [ann, bea] = people('Ann 5', 'Bea 5')
  const from = await world.log.head()
  const node = await world.node()
  const live = await world.peer(node, ann)
  await world.buzz(ann, bea)
  const blockedAt = await world.block(bea, ann)
  await until('the node knows', () => node.realtime.stats().head >= blockedAt)
  await live.settled()
  expect(live.events()).toEqual([])
  // Also from a node whose rights begin after the block.
  const late = await world.node({
    readRights: storedRights({ position: blockedAt, blocked: [[bea, ann]] }),
  })
  // Whoever blocks counts anew what the centre holds.
  for (const [who, names] of [
    [ann, []],
    [bea, ['unread:changed']],
  ] as const) {
    const peer = await world.peer(late, who, { last: from })
    await peer.next('heartbeat')
    expect(peer.events().map(({ name }) => name)).toEqual(names)
  }
})

test('of who is shut out before the node began nothing is announced to who missed it', async () => {
  const [ann, bea] = people('Ann 5b', 'Bea 5b')
  const from = await world.log.head()
  const position = await world.buzz(ann, bea)
  for (const [out, names] of [
    [[], ['notification']],
    [[ann], []],
  ] as const) {
    const node = await world.node({ readRights: storedRights({ position, out }) })
    const peer = await world.peer(node, bea, { last: from })
    await peer.next('heartbeat')
    expect(
      peer
        .events()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names)
  }
})

test('a room that was closed before the node began is closed again for a page that missed it', async () => {
  const [ann, bea] = people('Ann 6', 'Bea 6')
  const from = await world.match(ann, bea)
  const position = await world.block(bea, ann)
  const node = await world.node({ readRights: storedRights({ position, blocked: [[bea, ann]] }) })
  const peer = await world.peer(node, ann, { last: from })
  await peer.next('heartbeat')
  expect(peer.events().map(({ name }) => name)).toEqual(['room:closed'])
})

test('a withdrawn buzz is no longer announced', async () => {
  const [ann, bea] = people('Ann 7', 'Bea 7')
  const from = await world.log.head()
  await world.buzz(ann, bea)
  await world.withdraw(ann, bea)
  const peer = await world.peer(await world.node(), bea, { last: from })
  await peer.next('heartbeat')
  expect(peer.events().map(({ name }) => name)).toEqual(['unread:changed'])
})

test('a position older than what the node holds asks for a reload, and then resumes from there', async () => {
  const [ann, bea] = people('Ann 8', 'Bea 8')
  const from = await world.match(ann, bea)
  const node = await world.node({ limits: { ringMs: 0, ringEvents: 3, startEvents: 0, fillEvents: 0 } })
  const watcher = await world.peer(node, ann)
  const positions = await sendMessages(ann, bea, 8)
  await watcher.event('direct:message', 8)
  const peer = await world.peer(node, bea, { last: from })
  expect((await peer.next('resync')).reason).toBe('gap')
  await sendMessages(ann, bea, 1, 'while reloading')
  await watcher.event('direct:message', 9)
  await peer.settled()
  expect(texts(peer)).toEqual([])
  const { epoch } = peer.frames.find((frame) => frame.type === 'ready') as { epoch: string }
  peer.send({ type: 'resume', last: positions.at(-1), epoch })
  await peer.next('heartbeat')
  expect(texts(peer)).toEqual(['while reloading 1'])
})

test('a position of another log asks for a reload', async () => {
  const [ann] = people('Ann 9')
  const node = await world.node()
  const stranger = await world.peer(node, ann, { last: await world.log.head(), epoch: 'another-log' })
  expect((await stranger.next('resync')).reason).toBe('epoch')
  const beyond = await world.peer(node, ann, { last: 'zzzzzzzzzzzzz' })
  expect((await beyond.next('resync')).reason).toBe('epoch')
})

test('who came to a node that began with an empty log resumes at the next one', async () => {
  const fresh = await startWorld()
  onTestFinished(() => fresh.stop())
  const first = await fresh.node()
  const [ann, bea] = people('Ann 10', 'Bea 10')
  const last = await fresh.match(ann, bea)
  const { frames } = await fresh.peer(first, bea)
  const { epoch } = frames.find((frame) => frame.type === 'ready') as { epoch: string }
  await fresh.sendMessage(ann, bea, 'meanwhile')
  const again = await fresh.peer(await fresh.node(), bea, { last, epoch })
  await again.next('heartbeat')
  expect(texts(again)).toEqual(['meanwhile'])
})

test('a client that is ahead of its node gets what is newer, and nothing twice', async () => {
  const [ann, bea] = people('Ann 10', 'Bea 10')
  await world.match(ann, bea)
  const source = createLogSource(world.log)
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const end = await world.log.head()
  async function* delayed(after: typeof end, signal: AbortSignal) {
    for await (const batch of source.follow(after, signal)) {
      if (batch.at(-1)!.position > end) await gate
      yield batch
    }
  }
  const node = await world.node({ source: { ...source, follow: delayed } })
  const [, second] = await sendMessages(ann, bea, 3)
  const peer = await world.peer(node, bea, { last: second! })
  await peer.next('heartbeat')
  open()
  await peer.event('direct:message')
  await until('the node is there', async () => node.realtime.stats().head >= (await world.log.head()))
  await peer.settled()
  expect(texts(peer)).toEqual(['word 3'])
})

test('more missed than is worth sending asks for a reload', async () => {
  const [ann, bea] = people('Ann 11', 'Bea 11')
  const from = await world.match(ann, bea)
  await sendMessages(ann, bea, 4)
  const node = await world.node({ limits: { replayItems: 3 } })
  const peer = await world.peer(node, bea, { last: from })
  expect((await peer.next('resync')).reason).toBe('too-much')
})

test('sockets that ask for much again and again are asked to reload, and others are served', async () => {
  const [ann, bea] = people('Ann 13', 'Bea 13')
  const from = await world.match(ann, bea)
  await sendMessages(ann, bea, 4)
  const node = await world.node({ limits: { replayBytesPerMinute: 4_000 } })
  const answers: string[] = []
  for (let n = 0; n < 6; n++) {
    const peer = await world.peer(node, bea, { last: from })
    const { type } = await Promise.race([peer.next('resync'), peer.next('heartbeat')])
    answers.push(type)
    peer.ws.terminate()
  }
  expect(answers[0]).toBe('heartbeat')
  expect(answers.at(-1)).toBe('resync')
  const other = await world.peer(node, ann, { last: from })
  expect((await other.next('heartbeat')).pos > from).toBe(true)
})

test('an event that cannot be read is left out, and holds up no other', async () => {
  const [ann, bea] = people('Ann 12', 'Bea 12')
  await world.match(ann, bea)
  const node = await world.node()
  const peer = await world.peer(node, bea)
  const event = { id: crypto.randomUUID(), type: 'MessageSent', data: { odd: true }, metadata: { schema: 1 } }
  await world.log.append(`odd-${START}`, 'no_stream', [event])
  await world.sendMessage(ann, bea, 'still here')
  await peer.event('direct:message')
  expect(node.realtime.stats().skipped).toBe(1)
})

test('a socket that resumes again and again has to wait, and the log is asked once for many', async () => {
  const [ann] = people('Ann 12')
  let asked = 0
  const source = createLogSource(world.log)
  const head = () => {
    asked++
    return source.head()
  }
  const node = await world.node({ source: { ...source, head }, limits: { resumesPerMinute: 5, frameBurst: 100 } })
  const peers = await Promise.all(Array.from({ length: 8 }, () => world.peer(node, ann)))
  const resume = { type: 'resume', last: 'zzzzzzzzzzzzz', epoch: await source.epoch() }
  const before = asked
  for (let n = 0; n < 5; n++) for (const peer of peers) peer.send(resume)
  for (const peer of peers)
    await until('five answers', () => peer.frames.filter(({ type }) => type === 'resync').length === 5)
  expect(asked - before).toBeLessThan(20)
  peers[0]!.send(resume)
  expect(await peers[0]!.next('error')).toMatchObject({ for: 'resume', retryInMs: expect.any(Number) })
})
