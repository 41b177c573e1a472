import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../realtime/limits.ts'
import { MemberFrames } from '../../realtime/member-frames.ts'
import { CloseCode } from '../../realtime/protocol.ts'
import type { Peer } from './peer.ts'
import { member, startWorld, type TestNode, type World } from './world.ts'

let world: World
let node: TestNode
beforeAll(async () => {
  world = await startWorld()
  node = await world.node()
})
afterAll(() => world.stop())

const socketsOf = (name: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => world.peer(node, member(name))))
/** Whether the socket answers all it was sent, or how it ended. */
const endOf = (peer: Peer) => Promise.race([peer.closed, peer.settled().then(() => 'open')])

test('the sockets of a member together send no more than a member may, each within its own limit', async () => {
  const sockets = await socketsOf('Flood', LIMITS.socketsPerMember)
  const calm = await world.peer(node, member('Calm'))
  const each = LIMITS.frameBurst - 10
  for (const socket of sockets) for (let n = 0; n < each; n++) socket.send({ type: 'heartbeat' })
  const ends = await Promise.all(sockets.map(endOf))
  expect(ends).toContain(CloseCode.flood)
  expect(await endOf(calm)).toBe('open')
})

const TABS = 5
/** Of a tab that comes back: auth, what it is, its room, and messages that waited. */
const COMING_BACK = 20
const SECONDS = 600

test('five tabs that come back at once and are all written in meet no limit of their member', () => {
  const [ann, bea] = [member('Ann'), member('Bea')]
  const frames = new MemberFrames(LIMITS)
  const refused: number[] = []
  for (let second = 0; second < SECONDS; second++) {
    const each = second % 120 === 0 ? COMING_BACK : LIMITS.typingPerSecond + 1
    for (let n = 0; n < TABS * each; n++) if (!frames.take(ann, 1, second * 1_000)) refused.push(second)
  }
  expect(refused).toEqual([])
  expect(frames.take(bea, LIMITS.memberFrameBurst, 0)).toBe(true)
})

test('a member goes on as fast as one socket may, however many there are', () => {
  const cat = member('Cat')
  const frames = new MemberFrames(LIMITS)
  let taken = 0
  for (let at = 0; at < 60_000; at += 5) if (frames.take(cat, 1, at)) taken++
  expect(taken).toBeGreaterThan(LIMITS.memberFramesPerSecond * 59)
  expect(taken).toBeLessThanOrEqual(LIMITS.memberFrameBurst + LIMITS.memberFramesPerSecond * 60)
})
