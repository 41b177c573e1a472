import { afterAll, beforeAll, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import { CloseCode } from '../../realtime/protocol.ts'
import { Peer } from '../realtime/peer.ts'
import { HalfOpen } from '../support/servers/half-open.ts'
import { until } from '../support/until.ts'
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

test('upgrades that pages of other sites send take no socket of a program of the network', async () => {
  const strangers = '127.0.0.1 without a session'
  const pat = await world.member('Pat')
  const { ticket } = await (await world.api('/auth/ticket', { as: pat, method: 'POST' })).json()
  const { reset, take } = world.services.limits
  await reset('SOCKET', strangers)
  await take('SOCKET', strangers, 599)
  for (let n = 0; n < 3; n++) {
    const foreign = new Peer(portOf(), { origin: 'https://evil.example', headers: { cookie: pat.cookie } })
    await expect(foreign.opened).rejects.toThrow('403')
  }
  expect(await endOf({ token: ticket })).toBe(101)
  expect(await endOf({})).toBe(429)
  await reset('SOCKET', strangers)
})

/** A socket that sends more than one may, at once. */
async function flood({ cookie, token }: { cookie?: string; token?: string }): Promise<number> {
  const peer = new Peer(portOf(), { origin: ownOrigin(), headers: cookie ? { cookie } : {} })
  await peer.opened
  if (token) peer.send({ type: 'auth', token })
  if (token) await peer.next('ready')
  for (let n = 0; n < 500; n++) peer.ws.ping()
  return peer.closed
}

/** Once the flood that ended it was counted. */
const counted = (key: string) =>
  until('it is counted', async () => !(await world.services.limits.peek('SOCKET', key)).ok)

test('floods with made-up cookies, and without one, leave the members of the network their sockets', async () => {
  const network = '127.0.0.1'
  const strangers = `${network} without a session`
  const pia = await world.member('Pia')
  const { reset, take } = world.services.limits
  const resetAll = async () => {
    for (const key of [network, strangers]) await reset('SOCKET', key)
    await reset('ANONYMOUS', network)
  }
  await resetAll()
  await take('SOCKET', network, 598)
  for (const shown of [{ cookie: madeUpCookie(1).Cookie }, {}]) {
    await take('SOCKET', strangers, 570)
    expect(await flood(shown)).toBe(CloseCode.flood)
    await counted(strangers)
    await reset('SOCKET', strangers)
  }
  expect(await endOf({ cookie: pia.cookie })).toBe(101)
  await resetAll()
})

test('made-up cookies that ask for nothing take no socket of a member, and count with the visitors', async () => {
  const network = '127.0.0.1'
  const oli = await world.member('Oli')
  const { reset, take, peek } = world.services.limits
  for (const rate of ['SOCKET', 'ANONYMOUS'] as const) await reset(rate, network)
  await take('SOCKET', network, 599)
  await take('ANONYMOUS', network, 118)
  for (let n = 0; n < 2; n++) {
    const peer = new Peer(portOf(), { origin: ownOrigin(), headers: { cookie: madeUpCookie(n).Cookie } })
    await peer.opened
    peer.ws.terminate()
  }
  expect(await peek('ANONYMOUS', network)).toMatchObject({ ok: false })
  expect(await endOf({ cookie: madeUpCookie(2).Cookie })).toBe(429)
  expect(await endOf({ cookie: oli.cookie })).toBe(101)
  for (const rate of ['SOCKET', 'ANONYMOUS'] as const) await reset(rate, network)
})

test('the floods of one account, by cookie or ticket, and its many sockets keep out nobody else of its network', async () => {
  const network = '127.0.0.1'
  const [quin, ria] = [await world.member('Quin'), await world.member('Ria')]
  const { reset, take } = world.services.limits
  await reset('SOCKET', network)
  const ticketOf = async () =>
    (await (await world.api('/auth/ticket', { as: quin, method: 'POST' })).json()).ticket as string
  const own = `member ${quin.id}`
  await take('SOCKET', network, 597)
  for (const shown of [{ cookie: quin.cookie }, { token: await ticketOf() }]) {
    await take('SOCKET', own, 570)
    expect(await flood(shown)).toBe(CloseCode.flood)
    await counted(own)
    expect(await endOf({ cookie: quin.cookie })).toBe(429)
    expect(await endOf({ token: await ticketOf() })).toBe(CloseCode.flood)
    await reset('SOCKET', own)
  }
  expect(await endOf({ cookie: ria.cookie })).toBe(101)
  await reset('SOCKET', network)
  for (let n = 0; n < 125; n++) await endOf({ cookie: quin.cookie })
  expect(await endOf({ cookie: quin.cookie })).toBe(429)
  for (const key of [network, own, `member ${ria.id}`]) await reset('SOCKET', key)
})
