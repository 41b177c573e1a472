import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerFrame } from '../../realtime/protocol.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { Peer } from './peer.ts'

let world: World
const peers: Peer[] = []
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  for (const peer of peers) peer.ws.terminate()
  await world.stop()
})

const presenceOf = (frame: ServerFrame, { id }: Person) =>
  frame.type === 'signal' && frame.name !== 'typing' && 'userId' in frame.data && frame.data.userId === id
const seen = (peer: Peer, who: Person) =>
  peer.frames.filter((frame) => presenceOf(frame, who)).map((frame) => ('name' in frame ? frame.name : ''))

async function online(who: Person): Promise<Peer> {
  const { port } = new URL(world.url)
  const peer = new Peer(Number(port), { origin: `http://127.0.0.1:${port}` })
  peers.push(peer)
  await peer.opened
  peer.send({ type: 'auth', token: who.token })
  await peer.next('ready')
  return peer
}

async function shownTo(viewer: Person, other: Person): Promise<boolean> {
  const { matches } = await (await world.api('/matches', { as: viewer })).json()
  return (matches as { id: string; online: boolean }[]).find(({ id }) => id === other.id)?.online ?? false
}

async function change(who: Person, change: object): Promise<void> {
  const answer = await world.api('/users/me', { as: who, method: 'PUT', body: JSON.stringify(change) })
  expect(answer.status).toBe(200)
}

test('who turns invisible or hidden is offline to matches within a second, time after time', {
  timeout: 60_000,
}, async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const a = await online(ann)
  await online(bea)
  await until('Bea is online', () => seen(a, bea).at(-1) === 'presence:online')
  const steps = [
    [{ visibility: 'invisible' }, false],
    [{ visibility: 'active' }, true],
    [{ visibilityMode: 'hidden' }, false],
    [{ visibilityMode: 'full' }, true],
  ] as const
  for (let round = 0; round < 10; round++) {
    for (const [news, shown] of steps) {
      const before = seen(a, bea).length
      await change(bea, news)
      const from = Date.now()
      await until(`${JSON.stringify(news)} is seen`, () => seen(a, bea).length > before)
      expect(Date.now() - from).toBeLessThan(1_000)
      expect(seen(a, bea).slice(before)).toEqual([shown ? 'presence:online' : 'presence:offline'])
      expect(await shownTo(ann, bea)).toBe(shown)
    }
  }
})

test('two who match while both are here learn that the other is online', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  const [c, d] = [await online(cat), await online(dan)]
  await world.match(cat, dan)
  await until('Cat learns of Dan', () => seen(c, dan).includes('presence:online'))
  await until('Dan learns of Cat', () => seen(d, cat).includes('presence:online'))
})

test('a match with somebody invisible reveals nothing', async () => {
  const [eve, fay] = [await world.member('Eve'), await world.member('Fay')]
  const [e, f] = [await online(eve), await online(fay)]
  await change(fay, { visibility: 'invisible' })
  await world.settled()
  await world.buzz(fay, eve)
  await world.settled()
  await world.buzz(eve, fay)
  await until('Fay learns of Eve', () => seen(f, eve).includes('presence:online'))
  await e.settled()
  expect(seen(e, fay)).toEqual([])
  expect(await shownTo(eve, fay)).toBe(false)
})
