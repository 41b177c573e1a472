import { afterAll, beforeAll, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { CloseCode } from '../../realtime/protocol.ts'
import { Peer } from '../realtime/peer.ts'
import { HalfOpen } from '../support/servers/half-open.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
})
afterAll(() => world.stop())

const portOf = () => Number(new URL(world.url).port)
const ownOrigin = () => `http://127.0.0.1:${portOf()}`
const MADE_UP = 'x'.repeat(43)

/** How a socket ends that shows a token in its upgrade or its first frame: the status, or the code of its close. */
async function endOf({ cookie, token }: { cookie?: string; token?: string }): Promise<number> {
  const peer = new Peer(portOf(), { origin: ownOrigin(), headers: cookie ? { cookie } : {} })
  const refused = await peer.opened.then(
    () => null,
    (error: Error) => Number(error.message.replace('status ', '')),
  )
  if (refused !== null) return refused
  peer.send({ type: 'auth', token })
  const end = await Promise.race([peer.closed, peer.next('ready').then(() => 101)])
  peer.ws.terminate()
  return end
}

test.each([
  ['cookie', { cookie: `${SESSION_COOKIE}=${MADE_UP}` }, 429],
  ['bearer token', { token: MADE_UP }, CloseCode.flood],
])(
  'a made-up %s over the socket counts with the visitors; a cookie and a ticket sign in',
  async (_what, shown, end) => {
    const network = '127.0.0.1'
    const lou = await world.member('Lou')
    for (const rate of ['ANONYMOUS', 'SOCKET'] as const) await world.services.limits.reset(rate, network)
    const ends = []
    for (let n = 0; n < 130; n++) ends.push(await endOf(shown))
    expect(ends.slice(0, 120)).toEqual(Array.from({ length: 120 }, () => CloseCode.signedOut))
    expect(ends.slice(120)).toEqual(Array.from({ length: 10 }, () => end))
    expect((await world.page('/login')).status).toBe(429)
    expect(await endOf({ cookie: lou.cookie })).toBe(101)
    const { ticket } = await (await world.api('/auth/ticket', { as: lou, method: 'POST' })).json()
    expect(await endOf({ token: ticket })).toBe(101)
    expect(await endOf({ token: ticket })).toBe(CloseCode.signedOut)
    for (const rate of ['ANONYMOUS', 'SOCKET'] as const) await world.services.limits.reset(rate, network)
  },
)

test('one network begins six hundred sockets a minute', async () => {
  const network = '127.0.0.1'
  const mia = await world.member('Mia')
  await world.services.limits.reset('SOCKET', network)
  await world.services.limits.take('SOCKET', network, 599)
  expect(await endOf({ cookie: mia.cookie })).toBe(101)
  const one = await HalfOpen.to(portOf())
  one.send(
    `GET /realtime HTTP/1.1\r\nHost: 127.0.0.1:${portOf()}\r\nOrigin: ${ownOrigin()}\r\nCookie: ${mia.cookie}\r\n` +
      'Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  )
  expect(await one.answer).toMatch(/^HTTP\/1.1 429 [\s\S]*\r\nRetry-After: [1-9]\d*\r\n/)
  await one.isGone()
  await world.services.limits.reset('SOCKET', network)
})

const madeUpCookie = (n: number) => ({ Cookie: `${SESSION_COOKIE}=${String(n).padStart(43, 'x')}` })
const madeUpBearer = (n: number) => ({ Authorization: `Bearer ${String(n).padStart(43, 'x')}` })

test.each([
  ['IP', 600, '/discover.data', '/discover', madeUpCookie],
  ['IP', 600, '/api/users/me', '/api/users/me', madeUpBearer],
  ['MEDIA', 3_000, '/media/FILE', '/media/FILE', madeUpCookie],
  ['MEDIA', 3_000, '/media/FILE', '/media/FILE', madeUpBearer],
] as const)(
  'of %s (%i) made-up tokens take nothing once visitors have had theirs: %s',
  async (rate, points, asked, own, headers) => {
    const network = '127.0.0.1'
    const nan = await world.member('Nan')
    const file = (await world.services.media.list({ member: nan.id })).find(({ purpose }) => purpose === 'photo')!
    const { reset, take } = world.services.limits
    for (const one of [rate, 'ANONYMOUS'] as const) await reset(one, network)
    await take(rate, network, points - 1)
    await take('ANONYMOUS', network, 120)
    for (let n = 0; n < 5; n++)
      expect((await world.page(asked.replace('FILE', file.id), { headers: headers(n) })).status).toBe(429)
    const as = own.startsWith('/api') ? { headers: { Authorization: `Bearer ${nan.token}` } } : { as: nan }
    expect((await world.page(own.replace('FILE', file.id), as)).status).toBe(200)
    expect((await world.page(own.replace('FILE', file.id), as)).status).toBe(429)
    for (const one of [rate, 'ANONYMOUS'] as const) await reset(one, network)
  },
)

test('upgrades with a made-up cookie, once visitors have had theirs, and those without one take no socket of a member', async () => {
  const network = '127.0.0.1'
  const oda = await world.member('Oda')
  const { reset, take } = world.services.limits
  for (const rate of ['SOCKET', 'ANONYMOUS'] as const) await reset(rate, network)
  await take('SOCKET', network, 599)
  await take('ANONYMOUS', network, 120)
  for (let n = 0; n < 5; n++) {
    expect(await endOf({ cookie: madeUpCookie(n).Cookie })).toBe(429)
    expect(await endOf({ token: MADE_UP })).toBe(CloseCode.flood)
  }
  expect(await endOf({ cookie: oda.cookie })).toBe(101)
  expect(await endOf({ cookie: oda.cookie })).toBe(429)
  for (const rate of ['SOCKET', 'ANONYMOUS'] as const) await reset(rate, network)
})

test('a socket that ends for a flood counts as thirty more of its network', async () => {
  const network = '127.0.0.1'
  const pia = await world.member('Pia')
  const { reset, take } = world.services.limits
  await reset('SOCKET', network)
  await take('SOCKET', network, 570)
  const flooder = new Peer(portOf(), { origin: ownOrigin(), headers: { cookie: pia.cookie } })
  await flooder.opened
  for (let n = 0; n < 500; n++) flooder.ws.ping()
  expect(await flooder.closed).toBe(CloseCode.flood)
  expect(await endOf({ cookie: pia.cookie })).toBe(429)
  await reset('SOCKET', network)
})
