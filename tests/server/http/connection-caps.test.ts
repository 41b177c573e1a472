import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionCaps } from '../../../server/http/connections.ts'
import type { RawHandler } from '../../../server/http/handler.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { createLogger } from '../../../services/log.ts'
import { Peer } from '../../realtime/peer.ts'
import { serveWeb } from '../../support/described/serve-web.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { HalfOpen } from '../../support/servers/half-open.ts'
import { keptConnection, keptConnections } from '../../support/servers/kept-connection.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
const servers: HttpServer[] = []
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await world.stop()
})

async function serve(caps: ConnectionCaps, trustProxy = false): Promise<number> {
  const { product, publicUrl } = world
  const config = { ...world.config, trustProxy }
  const logger = createLogger({ level: 'silent' })
  const server = await serveWeb({ product, config, port: 0, publicUrl, now: () => new Date(), logger, caps })
  servers.push(server)
  return server.port
}

const strangers = async (port: number, count: number) => {
  const made: HalfOpen[] = []
  for (let n = 0; n < count; n++) made.push(await HalfOpen.to(port))
  return made
}

const GET = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`

const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` })

test.each([
  ['one network', { perNetwork: 5, total: 1_000 }, false],
  ['all', { perNetwork: 1_000, total: 5 }, false],
  ['all, behind a proxy', { perNetwork: 1, total: 5 }, true],
])('of too many connections of %s the oldest stranger goes; a member stays', async (_of, caps, trustProxy) => {
  const port = await serve(caps, trustProxy)
  const ann = await world.member('Ann')
  const ask = keptConnection(port, { headers: bearer(ann) })
  expect(await ask()).toEqual({ status: 200, reused: false })
  const opened = await strangers(port, 8)
  await Promise.all(opened.slice(0, 4).map((one) => one.isGone()))
  expect(await ask()).toEqual({ status: 200, reused: true })
  opened.at(-1)?.send(GET('/healthz'))
  expect(await opened.at(-1)?.answer).toMatch(/^HTTP\/1.1 200 /)
  for (const one of opened) one.close()
})

test('a connection that asked without a session is a stranger', async () => {
  const port = await serve({ perNetwork: 5, total: 1_000 })
  const ask = keptConnection(port)
  expect(await ask()).toEqual({ status: 401, reused: false })
  const opened = await strangers(port, 5)
  const again = await ask().catch(() => null)
  expect(again?.reused ?? false).toBe(false)
  for (const one of opened) one.close()
})

test.each([
  ['a network', { perNetwork: 5, total: 1_000 }, ['127.0.0.1', '127.0.0.1']],
  ['the port', { perNetwork: 4, total: 5 }, ['127.0.0.2', '127.0.0.3']],
])(
  'whoever has all connections of %s makes room, by their oldest, for whoever comes',
  async (_of, caps, [one, two]) => {
    const port = await serve(caps)
    const [ann, bob] = [await world.member('Ann'), await world.member('Bob')]
    const first = await keptConnections(port, 3, { headers: bearer(ann), from: one! })
    const rest = await keptConnections(port, 2, { headers: bearer(ann), from: two! })
    const bobs = keptConnection(port, { headers: bearer(bob) })
    expect(await bobs()).toEqual({ status: 200, reused: false })
    for (const ask of [...first.slice(1), ...rest]) expect(await ask()).toEqual({ status: 200, reused: true })
    expect(await first[0]!()).toEqual({ status: 200, reused: false })
    expect(await bobs()).toEqual({ status: 200, reused: true })
  },
)

test('a member has twenty connections that count as theirs, and beyond them the longest unused is a stranger', async () => {
  const port = await serve({ perNetwork: 27, total: 1_000 })
  const ann = await world.member('Ann')
  const anns = await keptConnections(port, 20, { headers: bearer(ann) })
  expect(await anns[0]!()).toEqual({ status: 200, reused: true })
  anns.push(...(await keptConnections(port, 1, { headers: bearer(ann) })))
  const opened = await strangers(port, 7)
  const older = opened.at(-2)!
  older.send(GET('/healthz'))
  expect(await older.answer).toMatch(/^HTTP\/1.1 200 /)
  expect(await anns[0]!()).toEqual({ status: 200, reused: true })
  expect(await anns[1]!()).toEqual({ status: 200, reused: false })
  for (const one of opened) one.close()
})

/** A picture of a member's profile. */
async function pictureOf({ id }: Person): Promise<string> {
  const rows = world.core.storage.app.selectFrom('media').select('id').where('owner', '=', id)
  return `/media/${(await rows.where('purpose', '=', 'photo').executeTakeFirstOrThrow()).id}`
}

test('a visitor who signs up, and whoever may have a file, is no stranger', async () => {
  const port = await serve({ perNetwork: 6, total: 1_000 })
  const ann = await world.member('Ann')
  const { signupToken, payload } = await newcomer(world)
  const cookie = { Cookie: `__Host-signup=${signupToken}` }
  const picture = await pictureOf(ann)
  const link = `${picture}?sig=${world.services.mediaLinks.sign(ann.id, picture.slice('/media/'.length))}`
  const known = [
    ...(await keptConnections(port, 1, { headers: cookie, path: '/register' })),
    ...(await keptConnections(port, 1, { headers: cookie, path: payload.photos[0]! })),
    ...(await keptConnections(port, 1, { headers: { Cookie: ann.cookie }, path: picture })),
    ...(await keptConnections(port, 1, { path: link })),
  ]
  const opened = await strangers(port, 8)
  for (const ask of known) expect(await ask()).toEqual({ status: 200, reused: true })
  for (const one of opened) one.close()
})

test('the proofs of one address are one holder, however many there are', async () => {
  const port = await serve({ perNetwork: 44, total: 1_000 })
  const email = 'many.proofs@example.com'
  const made = []
  for (const by of ['page', 'file', 'file']) {
    const { signupToken, payload } = await newcomer(world, { email })
    const headers = { Cookie: `__Host-signup=${signupToken}` }
    made.push(...(await keptConnections(port, 20, { headers, path: by === 'page' ? '/register' : payload.photos[0]! })))
  }
  const opened = await strangers(port, 30)
  const kept = []
  for (const ask of made) kept.push((await ask('/healthz')).reused)
  expect(kept.filter((reused) => reused)).toHaveLength(20)
  for (const one of opened) one.close()
})

const POST = (path: string, headers = '') =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n${headers}Expect: 100-continue\r\n` +
  'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na'

/** Begins a request whose body never ends, and waits until the server waits for it. */
async function beginPost(one: HalfOpen, text: string): Promise<HalfOpen> {
  one.send(text)
  await one.hears('HTTP/1.1 100 Continue')
  return one
}

const flood = async (port: number, count: number) => {
  const made: HalfOpen[] = []
  for (let n = 0; n < count; n++) made.push(await beginPost(await HalfOpen.to(port), POST('/login')))
  return made
}

test('where members have all connections, a newcomer is not pushed out by the next before it has asked', async () => {
  const port = await serve({ perNetwork: 40, total: 1_000 })
  for (const name of ['Ann', 'Bob']) await keptConnections(port, 20, { headers: bearer(await world.member(name)) })
  const opened = await flood(port, 4)
  const late = await HalfOpen.to(port)
  opened.push(...(await flood(port, 4)))
  late.send(GET('/login'))
  expect(await late.answer).toMatch(/^HTTP\/1.1 200 /)
  for (const one of opened) one.close()
})

test('whoever holds all connections with bodies that never end, and floods beside, keeps nobody out', async () => {
  const port = await serve({ perNetwork: 60, total: 1_000 })
  const ann = await world.member('Ann')
  const opened: HalfOpen[] = []
  for (let n = 0; n < 3; n++) {
    const cookie = `Cookie: __Host-signup=${(await newcomer(world)).signupToken}\r\n`
    for (let m = 0; m < 20; m++) {
      const one = await HalfOpen.to(port)
      one.send(`GET /register HTTP/1.1\r\nHost: localhost\r\n${cookie}\r\n`)
      await one.hears('</html>')
      opened.push(await beginPost(one, POST('/register', cookie)))
    }
  }
  for (let round = 0; round < 10; round++) {
    const [visitor, member] = (await strangers(port, 2)) as [HalfOpen, HalfOpen]
    opened.push(...(await flood(port, 2)))
    visitor.send(GET('/login'))
    member.send(GET('/discover', `Cookie: ${ann.cookie}\r\n`))
    expect(await visitor.answer).toMatch(/^HTTP\/1.1 200 /)
    expect(await member.answer).toMatch(/^HTTP\/1.1 200 /)
  }
  for (const one of opened) one.close()
})

test('strangers take a quarter and no more, first from whoever holds the most', async () => {
  const port = await serve({ perNetwork: 16, total: 1_000 })
  const kept = async (name: string, count: number) =>
    keptConnections(port, count, { headers: bearer(await world.member(name)) })
  const [anns, bobs, cids] = [await kept('Ann', 8), await kept('Bob', 4), await kept('Cid', 4)]
  const opened = await strangers(port, 20)
  for (const ask of [...anns.slice(4), ...bobs, ...cids]) expect(await ask()).toEqual({ status: 200, reused: true })
  for (const ask of anns.slice(0, 4)) expect(await ask('/healthz')).toEqual({ status: 200, reused: false })
  for (const one of opened) one.close()
})

test('of members who hold as many, the one who was not heard of for longest makes room', async () => {
  const port = await serve({ perNetwork: 4, total: 1_000 })
  const anns = await keptConnections(port, 2, { headers: bearer(await world.member('Ann')) })
  const bobs = await keptConnections(port, 2, { headers: bearer(await world.member('Bob')) })
  expect(await anns[1]!()).toEqual({ status: 200, reused: true })
  const [stranger] = await strangers(port, 1)
  for (const ask of [...anns, bobs[1]!]) expect(await ask()).toEqual({ status: 200, reused: true })
  expect(await bobs[0]!()).toEqual({ status: 200, reused: false })
  stranger?.close()
})

/** A port whose `/slow` waits, so many requests to it, and what lets them all go on. */
async function slowRequests(caps: ConnectionCaps, count: number) {
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let begun = 0
  const slow: RawHandler = async ({ url }) => {
    if (!url.endsWith('/slow')) return null
    begun += 1
    await gate
    return new Response('slow')
  }
  const server = await startEcho({ caps, raw: [slow] })
  servers.push(server)
  const waiting = await strangers(server.port, count)
  for (const [n, one] of waiting.entries()) {
    one.send(GET('/slow'))
    await until('the request is under way', () => begun > n)
  }
  return { port: server.port, waiting, goOn }
}

test('a stranger who waits for an answer goes after those who asked nothing', async () => {
  const { port, waiting, goOn } = await slowRequests({ perNetwork: 5, total: 1_000 }, 3)
  const opened = await strangers(port, 8)
  await Promise.all(opened.slice(0, 6).map((one) => one.isGone()))
  goOn()
  for (const one of waiting) expect(await one.answer).toMatch(/^HTTP\/1.1 200 /)
  for (const one of opened) one.close()
})

test('the newest have time to ask, though all others wait for answers', async () => {
  const { port, waiting, goOn } = await slowRequests({ perNetwork: 5, total: 1_000 }, 5)
  const [newcomer, next] = (await strangers(port, 2)) as [HalfOpen, HalfOpen]
  await Promise.all(waiting.slice(0, 2).map((one) => one.isGone()))
  newcomer.send(GET('/page'))
  expect(await newcomer.answer).toMatch(/^HTTP\/1.1 200 /)
  goOn()
  for (const one of [newcomer, next, ...waiting]) one.close()
})

test('a socket that the realtime node has taken counts with the port no more', async () => {
  const port = await serve({ perNetwork: 4, total: 1_000 })
  const origin = `http://127.0.0.1:${port}`
  const peers: Peer[] = []
  for (let n = 0; n < 6; n++) {
    const peer = new Peer(port, { origin })
    peers.push(peer)
    await peer.opened
  }
  const opened = await strangers(port, 4)
  const { token } = await world.member('Ann')
  for (const peer of peers) peer.send({ type: 'auth', token })
  for (const peer of peers) await peer.next('ready')
  for (const one of opened) one.close()
  for (const peer of peers) peer.ws.terminate()
})
