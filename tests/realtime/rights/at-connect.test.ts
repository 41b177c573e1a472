import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { CloseCode } from '../../../realtime/protocol.ts'
import type { StoredRights } from '../../../realtime/rights/loader.ts'
import { until } from '../../support/until.ts'
import { member, sessionOf, startWorld, storedRights, type TestNode, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
const people = (...names: string[]) => names.map((name) => member(name)) as [MemberId, MemberId, MemberId]
const reaches = (node: TestNode, position: string) =>
  until('the node knows', () => node.realtime.stats().head >= position)

/** A read model that answers about members once it is opened, with what it shows then. */
function gated(rows: () => Promise<StoredRights>) {
  let [open, asked] = [() => {}, 0]
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const readRights = async ({ members }: { members: readonly MemberId[] }) => {
    const shown = await rows()
    if (members.length > 0) {
      asked++
      await gate
    }
    return shown
  }
  return { readRights, open: () => open(), asked: () => asked }
}

async function comes(node: TestNode, who: MemberId, from: { last?: string } = {}) {
  const peer = await world.socket(node)
  peer.send({ type: 'auth', token: `${who}.${sessionOf(who)}`, ...from })
  return peer
}

test('what happens while rights are loaded comes once, in order', async () => {
  const [ann, bea] = people('Ann c1', 'Bea c1')
  const last = await world.match(ann, bea)
  await world.sendMessage(ann, bea, 'before')
  const { readRights, open, asked } = gated(storedRights())
  const node = await world.node({ readRights })
  const peer = await comes(node, bea, { last })
  await until('rights are asked for', () => asked() > 0)
  for (const text of ['one', 'two', 'three']) await reaches(node, await world.sendMessage(ann, bea, text))
  expect(peer.frames).toEqual([])
  open()
  await world.sendMessage(ann, bea, 'after')
  await peer.event('direct:message', 5)
  await peer.settled()
  expect(peer.events('direct:message').map(({ data }) => data.text)).toEqual(['before', 'one', 'two', 'three', 'after'])
})

test('no more is read of a socket than a little while its frames wait for an answer', async () => {
  const [ann, bea] = people('Ann c8', 'Bea c8')
  const { readRights, open, asked } = gated(storedRights())
  const [node, other] = [await world.node({ readRights }), await world.node()]
  const peer = await comes(node, ann)
  await until('rights are asked for', () => asked() > 0)
  for (let n = 0; n < 60; n++) peer.send({ type: 'meet:request', data: 'x'.repeat(60_000) })
  const calm = await world.peer(other, bea)
  await calm.settled()
  open()
  await peer.next('ready')
  expect((await peer.next('error')).code).toBe('unsupported')
})

test('a block while rights are loaded is not passed', async () => {
  const [ann, bea] = people('Ann c2', 'Bea c2')
  const last = await world.match(ann, bea)
  const { readRights, open, asked } = gated(storedRights())
  const node = await world.node({ readRights })
  await world.sendMessage(ann, bea, 'before it')
  const peer = await comes(node, bea, { last })
  await until('rights are asked for', () => asked() > 0)
  await reaches(node, await world.block(bea, ann))
  open()
  await peer.event('room:closed')
  await peer.settled()
  expect(peer.events().map(({ name }) => name)).toEqual(['room:closed'])
  expect(peer.frames.filter(({ type }) => type === 'signal')).toEqual([])
})

test.each([
  ['signed out', (who: MemberId) => world.revoke(who, sessionOf(who))],
  ['suspended', (who: MemberId) => world.suspend(who)],
])('who is %s while rights are loaded is sent away, and is shown nothing', async (how, end) => {
  const [ann, bea] = people(`Ann ${how}`, `Bea ${how}`)
  await world.join(bea)
  const last = await world.match(ann, bea)
  await world.sendMessage(ann, bea, 'before it')
  const { readRights, open, asked } = gated(storedRights())
  const node = await world.node({ readRights })
  const peer = await comes(node, bea, { last })
  await until('rights are asked for', () => asked() > 0)
  const { ok } = await end(bea)
  await reaches(node, await world.log.head())
  open()
  await until('an answer', () => peer.closeCode ?? peer.frames.length > 0)
  expect([ok, peer.closeCode, peer.frames]).toEqual([true, CloseCode.signedOut, []])
})

test('a node behind the read model sends nothing of whom its rows show as blocked', async () => {
  const [ann, bea] = people('Ann c3', 'Bea c3')
  const from = await world.log.head()
  const source = createLogSource(world.log)
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  async function* late(after: typeof from, signal: AbortSignal) {
    for await (const batch of source.follow(after, signal)) {
      if (batch.at(-1)!.position > from) await gate
      yield batch
    }
  }
  let rows = storedRights()
  const node = await world.node({ source: { ...source, follow: late }, readRights: () => rows() })
  await world.match(ann, bea)
  await world.sendMessage(ann, bea, 'long ago')
  const blockedAt = await world.block(ann, bea)
  rows = storedRights({ position: blockedAt, blocked: [[ann, bea]] })
  const [a, b] = [await world.peer(node, ann), await world.peer(node, bea)]
  await until('both are online', () => node.realtime.isOnline(ann) && node.realtime.isOnline(bea))
  open()
  for (const peer of [a, b]) {
    await peer.event('room:closed')
    await peer.settled()
    expect(peer.events().map(({ name }) => name)).toEqual(['room:closed'])
    expect(peer.frames.filter(({ type }) => type === 'signal')).toEqual([])
  }
})

test('where rights cannot be known a socket is sent away to try again, and the next one is let in', async () => {
  const [ann, bea] = people('Ann c4', 'Bea c4')
  const last = await world.match(ann, bea)
  await world.sendMessage(ann, bea, 'kept')
  let away = true
  const lines: string[] = []
  const node = await world.node({
    limits: { rightsWithinMs: 200 },
    logLine: (line) => void lines.push(line),
    readRights: async ({ members }) => {
      if (away && members.length > 0) throw new TypeError('away')
      return storedRights()()
    },
  })
  const peer = await comes(node, bea, { last })
  expect(await peer.closed).toBe(CloseCode.drain)
  expect(peer.frames).toEqual([{ type: 'bye', retryInMs: 2_000 }])
  expect(lines.at(-1)).toContain('TypeError')
  away = false
  const again = await world.peer(node, bea, { last })
  expect((await again.event('direct:message')).data.text).toBe('kept')
})

test('an account that nothing is known of announces nothing until it is known to be active', async () => {
  const [ann, bea, cat] = people('Ann c5', 'Bea c5', 'Cat c5')
  const last = await world.match(bea, cat)
  const { readRights, open } = gated(storedRights())
  let isSlow = false
  const node = await world.node({
    readRights: (asked) => (isSlow ? readRights({ members: asked.accounts }) : storedRights()()),
  })
  const peer = await world.peer(node, bea, { last })
  isSlow = true
  const buzzed = await world.buzz(ann, bea)
  await world.sendMessage(cat, bea, 'behind it')
  await reaches(node, buzzed)
  await peer.settled()
  expect(peer.events()).toEqual([])
  // A page that comes meanwhile waits for the same.
  const other = await comes(node, bea, { last })
  await world.suspend(member('nobody c5')).catch(() => undefined)
  open()
  for (const one of [peer, other]) {
    await one.event('direct:message')
    await one.settled()
    expect(one.events().map(({ name }) => name)).toEqual(['notification', 'direct:message'])
  }
})

test('rights that were dropped are loaded again, as they are by then', async () => {
  const [ann, bea, cat] = people('Ann c6', 'Bea c6', 'Cat c6')
  const last = await world.match(ann, bea)
  await world.match(bea, cat)
  const node = await world.node({ limits: { rightsIdle: 0 } })
  const first = await world.peer(node, bea, { last })
  expect(node.realtime.stats().rightsMembers).toBe(1)
  first.ws.close()
  await until('she is forgotten', () => node.realtime.stats().rightsMembers === 0)
  expect(node.realtime.stats().rightsAccounts).toBe(0)
  await world.sendMessage(ann, bea, 'never shown')
  await world.sendMessage(cat, bea, 'shown')
  await reaches(node, await world.block(ann, bea))
  const again = await world.peer(node, bea, { last })
  await world.sendMessage(cat, bea, 'live')
  await again.event('direct:message', 2)
  expect(again.events('direct:message').map(({ data }) => data.text)).toEqual(['shown', 'live'])
  expect(again.events('room:closed')).toHaveLength(1)
})
