import { afterAll, beforeAll, expect, test } from 'vitest'
import { HalfOpen } from '../support/servers/half-open.ts'
import { Peer } from './peer.ts'
import { member, startWorld, type TestNode, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const silent = async (node: TestNode) => {
  const peer = new Peer(node.port, { origin: node.origin })
  await peer.opened
  return peer
}

test.each([
  ['of one network', { strangersPerNetwork: 3 }],
  ['of a node', { strangersPerNode: 3 }],
])('of the silent sockets %s the oldest goes, and members come in', async (_of, limits) => {
  const node = await world.node({ limits: { ...limits, authMs: 60_000 } })
  const peers = [await silent(node), await silent(node), await silent(node), await silent(node), await silent(node)]
  await Promise.all([peers[0]?.closed, peers[1]?.closed])
  expect(node.realtime.stats().sockets).toBe(3)
  const page = await world.peer(node, member('Ann'))
  await peers[2]?.closed
  expect(page.ws.readyState).toBe(page.ws.OPEN)
})

test('a refused upgrade is let go of, though its sender never closes', async () => {
  const node = await world.node()
  const socket = await HalfOpen.to(node.port)
  socket.send(`GET /realtime HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`)
  expect(await socket.answer).toMatch(/^HTTP\/1.1 403 /)
  await socket.isGone()
})
