import { afterAll, beforeAll, expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../app/request/session-cookie.server.ts'
import type { Mailer } from '../../services/mailer.ts'
import { forgotPassword } from '../../usecases/identity/forgot-password.ts'
import { sendCode } from '../../usecases/identity/send-code.ts'
import { verifyCode } from '../../usecases/identity/verify-code.ts'
import { codeOf, newcomer } from '../support/newcomers.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let clock = Date.now()
beforeAll(async () => {
  world = await startWorld({ rateLimits: true, now: () => new Date(clock) })
})
afterAll(() => world.stop())

const OSLO = { lat: 59.91, lng: 10.75 }
const HOUR = 3_600_000
const TOO_MANY = 'Too many requests. Please try again later.'
const form = (as: Person, fields: Record<string, string>) =>
  world.page('/discover', { as, method: 'POST', body: new URLSearchParams({ ...fields, live: 'yes' }) })
const deckOf = async (as: Person) => {
  const answer = await world.api('/discover', { as })
  const json = await answer.json()
  return { status: answer.status, json, headers: answer.headers, ids: json.users?.map(({ id }: { id: string }) => id) }
}

test('cards count as profiles seen, on the page and in the call alike, up to two hundred an hour', async () => {
  const people: Person[] = []
  for (const name of ['Ann', 'Bea', 'Cat', 'Dan']) people.push(await world.join(name, { location: OSLO }))
  await world.settled()
  const [ann, ...others] = people as [Person, ...Person[]]
  const { takeEach } = world.services.limits
  const seen = Array.from({ length: 198 }, (_, n) => `seen before ${n}`)
  expect((await takeEach('VIEW', ann.id, seen)).allowed.size).toBe(198)

  const page = await (await world.page('/discover', { as: ann })).text()
  const shown = others.filter(({ id }) => page.includes(`value="${id}"`))
  expect(shown.length).toBeGreaterThan(0)
  const dealt = await deckOf(ann)
  expect([dealt.status, dealt.ids.length]).toEqual([200, 2])
  for (const id of dealt.ids) await world.skip(ann, others.find((one) => one.id === id)!)
  await world.settled()

  const empty = await deckOf(ann)
  expect([empty.status, empty.json]).toEqual([429, { error: TOO_MANY, retryInMs: expect.any(Number) }])
  expect(empty.json.retryInMs).toBeLessThanOrEqual(HOUR)
  expect(Number(empty.headers.get('Retry-After'))).toBe(Math.ceil(empty.json.retryInMs / 1000))
  const slow = await world.page('/discover', { as: ann })
  expect([slow.status, Number(slow.headers.get('Retry-After')) > 0]).toEqual([429, true])
  expect((await slow.text()).replaceAll('<!-- -->', '')).toContain('You can see more in')
  const left = others.find(({ id }) => !dealt.ids.includes(id))!
  expect((await world.api(`/users/${left.id}`, { as: ann })).status).toBe(429)
  expect((await world.api(`/users/${dealt.ids[0]}`, { as: ann })).status).toBe(200)

  clock += HOUR
  expect((await deckOf(ann)).ids).toEqual([left.id])
})

test('a town that is too far to have been reached is refused, and says from when it is not', async () => {
  const eve = await world.member('Eve', { location: OSLO })
  const cell = () => world.read.selectFrom('member_cell').selectAll().where('member', '=', eve.id).execute()
  const before = await cell()
  const far = await form(eve, { intent: 'place', town: 'Sydney, AU' })
  expect(far.status).toBe(429)
  expect(await far.text()).toContain(
    'That is too far from where you just were. You can go there in 16 hours, or at once',
  )
  const call = await world.api('/location', {
    as: eve,
    method: 'POST',
    body: JSON.stringify({ lat: -33.9, lng: 151.2 }),
  })
  expect(await call.json()).toEqual({ accepted: false })
  expect(await cell()).toEqual(before)
  clock += 16 * HOUR
  expect((await form(eve, { intent: 'place', town: 'Sydney, AU' })).status).toBe(200)
  expect(await cell()).not.toEqual(before)
})

test('half a position is none', async () => {
  const fay = await world.member('Fay')
  for (const fields of [{ lat: '1' }, { lat: '1', lng: ' ' }, { lat: 'x', lng: '2' }]) {
    expect((await form(fay, { intent: 'place', ...fields })).status).toBe(400)
  }
})

test('visitors share the limit of their address between pages and calls; a session or a proof has its own', async () => {
  const gus = await world.member('Gus')
  const { signupToken } = await newcomer(world)
  const network = '127.0.0.1'
  await world.services.limits.reset('ANONYMOUS', network)
  await world.services.limits.take('ANONYMOUS', network, 118)
  expect((await world.page('/login')).status).toBe(200)
  const init = { method: 'POST', body: JSON.stringify({ email: 'x', password: 'y' }) }
  expect((await world.api('/auth/login', init)).status).toBe(401)
  const page = await world.page('/login')
  expect([page.status, Number(page.headers.get('Retry-After')) > 0]).toEqual([429, true])
  expect(await page.text()).toContain(TOO_MANY)
  const call = await world.api('/auth/login', init)
  expect([call.status, await call.json()]).toEqual([429, { error: TOO_MANY, retryInMs: expect.any(Number) }])
  for (const path of ['/signup', '/', '/no-such-page', '/api', '/api/no-such-call', '/api/auth/login'])
    expect((await world.page(path)).status, path).toBe(429)
  const posted = { method: 'POST', body: new URLSearchParams({ email: gus.email, password: 'guess' }) }
  expect((await world.page('/login', posted)).status).toBe(429)
  const madeUp = { headers: { Cookie: `${SESSION_COOKIE}=${'x'.repeat(43)}` } }
  expect((await world.page('/login', madeUp)).status).toBe(429)
  expect((await world.api('/users/me', { headers: { Authorization: `Bearer ${'x'.repeat(43)}` } })).status).toBe(429)

  expect((await world.page('/profile', { as: gus })).status).toBe(200)
  expect((await world.api('/users/me', { as: gus })).status).toBe(200)
  expect((await world.page('/register', { headers: { Cookie: `__Host-signup=${signupToken}` } })).status).toBe(200)
  await world.services.limits.take('IP', network, 600)
  expect((await world.page('/profile', { as: gus })).status).toBe(429)
  expect((await world.api('/users/me', { as: gus })).status).toBe(429)
  for (const rate of ['IP', 'ANONYMOUS'] as const) await world.services.limits.reset(rate, network)
})

test('files are limited by address: a visitor with the pages, a member by more', async () => {
  const ida = await world.member('Ida')
  const { take, reset } = world.services.limits
  const network = '127.0.0.1'
  const nothing = `/media/${'a'.repeat(20)}`
  await reset('ANONYMOUS', network)
  expect((await world.page(nothing)).status).toBe(404)
  await take('ANONYMOUS', network, 120)
  const refused = await world.page(nothing)
  expect([refused.status, Number(refused.headers.get('Retry-After')) > 0]).toEqual([429, true])
  await take('IP', network, 600)
  expect((await world.page(nothing, { as: ida })).status).toBe(404)
  await reset('MEDIA', network)
  await take('MEDIA', network, 3_000)
  for (const init of [{ as: ida }, { headers: { Authorization: `Bearer ${ida.token}` } }])
    expect((await world.page(nothing, init)).status).toBe(429)
  expect((await world.page(`${nothing}?sig=x`)).status).toBe(429)
  for (const rate of ['IP', 'ANONYMOUS', 'MEDIA'] as const) await reset(rate, network)
})

test('what looks like a session, a proof or a signature and is none counts with the visitors; a member has their files', async () => {
  const kim = await world.member('Kim')
  const { signupToken, payload } = await newcomer(world)
  const { limits, mediaLinks, media } = world.services
  const network = '127.0.0.1'
  const own = (await media.list({ member: kim.id })).find(({ purpose }) => purpose === 'photo')!
  const another = mediaLinks.sign(kim.id, 'b'.repeat(24))
  const madeUp = 'x'.repeat(43)
  const dead: Record<string, [string, RequestInit]> = {
    'a signature': ['?sig=x', {}],
    'the signature of another file': [`?sig=${another}`, {}],
    'a made-up signature with a session': ['?sig=x', { headers: { Cookie: kim.cookie } }],
    'a session': ['', { headers: { Cookie: `${SESSION_COOKIE}=${madeUp}` } }],
    'a bearer token': ['', { headers: { Authorization: `Bearer ${madeUp}` } }],
    'a proof': ['', { headers: { Cookie: `__Host-signup=${madeUp}` } }],
  }
  for (const [what, [query, init]] of Object.entries(dead)) {
    await limits.reset('ANONYMOUS', network)
    await limits.take('ANONYMOUS', network, 119)
    const statuses = []
    for (let n = 0; n < 2; n++) statuses.push((await world.page(`/media/${own.id}${query}`, init)).status)
    expect([what, ...statuses]).toEqual([what, 404, 429])
  }
  expect((await world.page(`/media/${own.id}`, { as: kim })).status).toBe(200)
  const link = `/media/${own.id}?sig=${mediaLinks.sign(kim.id, own.id)}`
  expect((await world.page(link)).status).toBe(200)
  const visitor = { headers: { Cookie: `__Host-signup=${signupToken}` } }
  expect((await world.page(payload.photos[0]!, visitor)).status).toBe(200)
  for (const rate of ['IP', 'ANONYMOUS', 'MEDIA'] as const) await limits.reset(rate, network)
})

test('of many requests with a made-up signature the last is refused', async () => {
  const network = '127.0.0.1'
  await world.services.limits.reset('ANONYMOUS', network)
  const statuses = []
  for (let n = 0; n < 121; n++) statuses.push((await world.page(`/media/${'c'.repeat(24)}?sig=${n}`)).status)
  expect([statuses.filter((status) => status === 404).length, statuses.at(-1)]).toEqual([120, 429])
  await world.services.limits.reset('ANONYMOUS', network)
})

let visitors = 0
const visitor = (mailer: Mailer) => ({
  ...world.context,
  limits: world.services.limits,
  ip: `203.0.113.${++visitors}`,
  mailer,
})

test('while no mail goes out at all, known and unknown addresses get the same answer, and lose no try', async () => {
  const hal = await world.join('Hal')
  const down: Mailer = { send: async () => Promise.reject(new Error('No mail today.')), isUp: async () => false }
  for (const email of [hal.email, 'nobody.here@example.com']) {
    const asked = await forgotPassword(visitor(down), { email })
    expect(asked).toEqual({ ok: false, reason: 'mail-down' })
    expect(await forgotPassword(visitor(world.services.mailer), { email })).toMatchObject({ ok: true })
  }
})

test('a mail that one address alone cannot get reveals nothing about it', async () => {
  const ivy = await world.join('Ivy')
  const failures: unknown[] = []
  const picky: Mailer = { send: async () => Promise.reject(new Error('No such box.')), isUp: async () => true }
  const asking = { ...visitor(picky), reportError: (error: unknown) => void failures.push(error) }
  const known = await forgotPassword(asking, { email: ivy.email })
  expect(await forgotPassword(asking, { email: 'nobody.there@example.com' })).toEqual(known)
  expect(known).toMatchObject({ ok: true })
  expect(failures).toHaveLength(1)
})

test('a sign-up code whose mail failed may be asked for again at once', async () => {
  const email = 'again@example.com'
  const down: Mailer = { send: async () => Promise.reject(new Error('No mail today.')), isUp: async () => false }
  expect(await sendCode(visitor(down), { email })).toEqual({ ok: false, reason: 'mail-failed' })
  expect(await sendCode(visitor(world.services.mailer), { email })).toMatchObject({ ok: true })
  const code = await codeOf(world, email)
  expect(await verifyCode(visitor(world.services.mailer), { email, code })).toMatchObject({ ok: true })
})
