import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloseCode } from '../../realtime/protocol.ts'
import { positionAt } from '../support/recorded.ts'
import { Peer } from './peer.ts'
import { member, sessionOf, startWorld, storedRights, type TestNode, type World } from './world.ts'

let world: World
let node: TestNode
const ann = member('Ann')
const token = `${ann}.${sessionOf(ann)}`

beforeAll(async () => {
  world = await startWorld()
  node = await world.node({ limits: { authMs: 150 } })
})
afterAll(() => world.stop())

test('an upgrade without an origin, or from a foreign one, is refused', async () => {
  const { port } = node
  for (const origin of [
    '',
    'null',
    'https://evil.example',
    `http://evil.example:${port}`,
    `https://localhost:${port}`,
  ]) {
    const peer = new Peer(port, { origin, headers: { cookie: `session=${token}` } })
    await expect(peer.opened, origin).rejects.toThrow('403')
  }
})

test('a foreign page counts as that, whosever cookie it brings, and is throttled with its like', async () => {
  const asked: unknown[] = []
  const reasons: string[] = []
  let waitMs: number | null = null
  const throttling = await world.node({
    authenticate: {
      flooded: async () => undefined,
      cookie: async () => null,
      token: async () => null,
      waitOf: async ({ cookie, isForeign }) => {
        asked.push([cookie, isForeign])
        return waitMs
      },
    },
    refused: (why) => void reasons.push(why),
  })
  const upgrade = () =>
    new Peer(throttling.port, { origin: 'https://evil.example', headers: { cookie: `session=${token}` } }).opened
  await expect(upgrade()).rejects.toThrow('403')
  waitMs = 5_000
  await expect(upgrade()).rejects.toThrow('429')
  expect([asked, reasons]).toEqual([
    [
      [undefined, true],
      [undefined, true],
    ],
    ['denied', 'limit-hit'],
  ])
})

test('another path is not found', async () => {
  const peer = new Peer(node.port, { origin: node.origin, path: '/realtime2' })
  await expect(peer.opened).rejects.toThrow('404')
})

test('a socket that does not say who it is in time is closed', async () => {
  const peer = await world.socket(node, { cookie: `session=${token}` })
  expect(await peer.closed).toBe(CloseCode.signedOut)
  expect(peer.frames).toEqual([])
})

test('no token, a wrong one, a revoked one, or another first frame is closed', async () => {
  const revoked = sessionOf('revoked')
  world.signedOut.add(revoked)
  const frames = [
    { type: 'auth' },
    { type: 'auth', token: 'nonsense' },
    { type: 'auth', token: `${ann}.${revoked}` },
    { type: 'register', data: { userId: ann } },
    { type: 'joinRoom', data: { roomId: 'x' } },
    { type: 'heartbeat' },
  ]
  for (const frame of frames) {
    const peer = await world.socket(node)
    peer.send(frame)
    expect(await peer.closed, JSON.stringify(frame)).toBe(CloseCode.signedOut)
    expect(peer.frames).toEqual([])
  }
})

test('a token in the address is not looked at', async () => {
  const peer = new Peer(node.port, { origin: node.origin, path: `/realtime?token=${token}` })
  await peer.opened
  peer.send({ type: 'auth' })
  expect(await peer.closed).toBe(CloseCode.signedOut)
})

test('the session cookie of the page is enough', async () => {
  const peer = await world.socket(node, { cookie: `session=${token}` })
  peer.send({ type: 'auth' })
  expect((await peer.next('ready')).userId).toBe(ann)
  await peer.next('heartbeat')
})

test('a token of the log is refused once the log says that its session ended, whatever the table says', async () => {
  const session = sessionOf('stale')
  await world.join(ann)
  await world.revoke(ann, session)
  const watcher = await world.peer(node, ann)
  await world.revoke(ann, sessionOf(ann))
  expect(await watcher.closed).toBe(CloseCode.signedOut)
  const peer = await world.socket(node)
  peer.send({ type: 'auth', token: `${ann}.${session}` })
  expect(await peer.closed).toBe(CloseCode.signedOut)
})

test('a node that is not ready yet takes no socket', async () => {
  let begin = () => {}
  const waiting = new Promise<void>((resolve) => {
    begin = resolve
  })
  const late = world.node({
    readRights: () => waiting.then(storedRights({ position: positionAt(0) })),
  })
  const peers = await Promise.race([late.then(() => 'ready'), Promise.resolve('waiting')])
  expect(peers).toBe('waiting')
  begin()
  expect((await late).realtime.ready()).toBe(true)
})
