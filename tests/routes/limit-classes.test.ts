import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCalls } from '../../app/api/all-calls.server.ts'
import { createMatcher } from '../../app/api/match.server.ts'
import { ratesOf } from '../../app/api/openapi.server.ts'
import type { CodePurpose } from '../../services/codes.ts'
import { RATES, type RateClass } from '../../services/limits/rates.ts'
import { logIn } from '../../usecases/identity/log-in.ts'
import { sendKey } from '../../usecases/identity/mail-limit.ts'
import { PASSWORD } from '../support/newcomers.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let ann: Person
let bea: Person
let cat: Person
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
  for (const name of ['Ann', 'Bea', 'Cat']) await world.join(name).then((one) => people.push(one))
  ;[ann, bea, cat] = people as [Person, Person, Person]
  await world.match(ann, bea)
  await world.settled()
})
afterAll(() => world.stop())
const people: Person[] = []

type Asked = { method?: string; path: () => string; body?: () => object }
const GENERAL = 'Too many requests. Please try again later.'
const form = () => {
  const body = new FormData()
  body.set('file', new Blob(['x'], { type: 'image/png' }), 'a.png')
  return body
}
/** Class, who it counts, call, and the words of the refusal where they are not the general ones (api-contract §6.2). */
const CALLS: readonly [RateClass, Asked, string?][] = [
  ['DISCOVER', { path: () => '/discover' }],
  ...['/auth/me', '/users/me', '/matches', '/social/matches', '/social/liked', '/social/likedYou', '/blocks'].map(
    (path): [RateClass, Asked] => ['READ', { path: () => path }],
  ),
  ['READ', { path: () => '/auth/sessions' }],
  ['READ', { path: () => '/account/second-factor' }],
  ['READ', { path: () => '/discover' }],
  ['READ', { path: () => '/notifications' }],
  ['READ', { path: () => '/chat/unread' }],
  ['READ', { path: () => `/chat/${bea.id}/messages` }],
  ['READ', { path: () => `/users/${bea.id}` }],
  ['READ', { method: 'POST', path: () => '/auth/ticket' }],
  [
    'LIKE',
    { method: 'POST', path: () => '/likes', body: () => ({ to: cat.id }) },
    'Slow down 🙂 You can buzz again in a bit.',
  ],
  ['MSG', { method: 'POST', path: () => `/chat/${bea.id}/messages`, body: () => ({ id: randomUUID(), text: 'Hi' }) }],
  ['CRIT', { method: 'DELETE', path: () => '/account/delete' }],
  ['CRIT', { method: 'DELETE', path: () => '/account/second-factor', body: () => ({ code: '000000' }) }],
  ['CRIT', { method: 'POST', path: () => '/account/second-factor/recovery-codes', body: () => ({ code: '000000' }) }],
  ['WRITE', { method: 'POST', path: () => '/account/second-factor' }],
  ['WRITE', { method: 'POST', path: () => '/account/second-factor/confirm', body: () => ({ code: '000000' }) }],
  ['WRITE', { method: 'PUT', path: () => '/users/me', body: () => ({ bio: 'Hi' }) }],
  ['EDIT', { method: 'PUT', path: () => '/users/me', body: () => ({ bio: 'Hi' }) }],
  ['WRITE', { method: 'POST', path: () => '/discover/skip', body: () => ({ to: cat.id }) }],
  ['WRITE', { method: 'DELETE', path: () => `/discover/skip/${cat.id}` }],
  ['SKIP', { method: 'POST', path: () => '/discover/skip', body: () => ({ to: cat.id }) }],
  ['WRITE', { method: 'POST', path: () => '/location', body: () => ({ lat: 1, lng: 1 }) }],
  ['WRITE', { method: 'POST', path: () => `/chat/${bea.id}/read`, body: () => ({ upTo: 'one' }) }],
  ['WRITE', { method: 'POST', path: () => `/unmatch/${bea.id}` }],
  ['WRITE', { method: 'DELETE', path: () => `/blocks/${cat.id}` }],
  ['WRITE', { method: 'POST', path: () => `/blocks/${cat.id}` }],
  ['WRITE', { method: 'PATCH', path: () => `/notifications/${'0'.repeat(24)}/read` }],
  ['WRITE', { method: 'DELETE', path: () => `/notifications/${'0'.repeat(24)}` }],
  ['REPORT', { method: 'POST', path: () => '/report', body: () => ({ targetId: cat.id, reason: 'Rude' }) }],
  ['BLOCK', { method: 'POST', path: () => '/block', body: () => ({ targetId: cat.id }) }],
  ['BLOCK', { method: 'POST', path: () => `/notifications/block/${cat.id}` }],
  ['UPLOAD', { method: 'POST', path: () => '/upload-media', body: form }],
  ['UPLOAD', { method: 'POST', path: () => '/upload-media-file', body: form }],
]

test('each call is refused once its class is used up, by its member alone, and says how long to wait', async () => {
  const { take, reset } = world.services.limits
  for (const [rate, { method = 'GET', path, body }, words = GENERAL] of CALLS) {
    const [{ points, seconds }] = RATES[rate].windows
    const name = `${rate} ${method} ${path()}`
    const sent = body?.()
    const headers = { Authorization: `Bearer ${ann.token}`, ...(sent instanceof FormData ? {} : JSON_TYPE) }
    await take(rate, ann.id, points)
    const init = { method, headers, ...(sent && { body: sent instanceof FormData ? sent : JSON.stringify(sent) }) }
    const answer = await fetch(`${world.url}/api${path()}`, init)
    const json = await answer.json()
    expect([name, answer.status, json.error], name).toEqual([name, 429, words])
    expect(json.retryInMs, name).toBeGreaterThan(0)
    expect(json.retryInMs, name).toBeLessThanOrEqual(seconds * 1000)
    expect(Number(answer.headers.get('Retry-After')), name).toBe(Math.ceil(json.retryInMs / 1000))
    expect((await take(rate, cat.id)).ok, name).toBe(true)
    for (const one of [ann, cat]) await reset(rate, one.id)
  }
  expect(await world.core.log.read(`pair-${[ann.id, cat.id].sort().join('_')}`)).toEqual([])
})
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Of an address or a mailbox, or of all that is looked at: their use cases have tests of their own. */
const COUNTED_OTHERWISE = [
  'SIGN_IN POST /auth/login',
  'SIGN_IN POST /auth/google',
  'SIGN_IN POST /auth/second-factor',
  'EXPORT POST /account/export',
  'LOGIN_IP POST /auth/google',
  'SESSIONS DELETE /auth/sessions/:id',
  'SEND_IP POST /auth/forgot-password',
  'SEND_IP POST /auth/send-code',
  'CRIT POST /auth/register-full',
  'SEND_IP POST /auth/register-full',
  'VIEW GET /discover',
  'VIEW GET /users/:id',
  'WRITE POST /upload-media',
  'HASH POST /auth/reset-password',
]

/** Of addresses, of pages alone, of what refuses no call by itself, and of calls that are not there. */
const OF_NO_CALL: readonly RateClass[] = [
  ...(['IP', 'ANONYMOUS', 'MEDIA', 'SOCKET', 'CSP_REPORT', 'DECK', 'ANEW', 'NEW_DEVICE', 'REPEAT'] as const),
  ...(['AI', 'BUZZ', 'COMMENT', 'KYC', 'MEETUP', 'NEARBY', 'NOTICE', 'POST', 'REACTION'] as const),
]

test('a call declares the classes that it takes from', () => {
  const match = createMatcher(allCalls)
  const tested = [
    ...CALLS.map(([rate, { method = 'GET', path }]) => [rate, method, path()] as const),
    ...BY_ADDRESS.map(([rate, method, path]) => [rate, method, path] as const),
  ].map(([rate, method, path]) => {
    const call = match(path)?.calls.find((one) => one.method === method)
    return `${rate} ${method} ${call?.path}`
  })
  const declared = allCalls.flatMap((call) => ratesOf(call).map((rate) => `${rate} ${call.method} ${call.path}`))
  const untested = ['READ GET /account/export/:id', ...COUNTED_OTHERWISE]
  expect([...new Set(declared)].sort()).toEqual([...new Set([...tested, ...untested])].sort())
})

test('a class that calls declare nowhere is known to be of none', () => {
  const declared = new Set(allCalls.flatMap((call) => ratesOf(call)))
  const all = Object.keys(RATES) as RateClass[]
  expect(all.filter((rate) => !declared.has(rate)).sort()).toEqual([...OF_NO_CALL].sort())
})

/** Those of an address or a mailbox, with what they count. */
const BY_ADDRESS: readonly [RateClass, string, string, () => string, () => object][] = [
  ['LOGIN_IP', 'POST', '/auth/login', () => '127.0.0.1', () => ({ email: bea.email, password: 'a guess' })],
  ['LOGIN_IP', 'POST', '/auth/second-factor', () => '127.0.0.1', () => ({ challenge: 'none', code: '000000' })],
  ['SEND', 'POST', '/auth/forgot-password', () => mailbox('reset'), () => ({ email: bea.email })],
  ['SEND', 'POST', '/auth/send-code', () => mailbox('signup'), () => ({ email: bea.email })],
  ['CRIT', 'DELETE', '/account/delete', () => bea.id, () => ({ password: 'a guess' })],
  ['CRIT', 'POST', '/account/export', () => bea.id, () => ({ password: 'a guess' })],
]
const mailbox = (purpose: CodePurpose) => sendKey(purpose, world.services.credentials.emailKey(bea.email))

test('a sign-in, a mail and a guess of the password are refused in the one sentence of all calls', async () => {
  const { take, reset } = world.services.limits
  for (const [rate, method, path, keyOf, body] of BY_ADDRESS) {
    const key = keyOf()
    await take(rate, key, RATES[rate].windows[0].points)
    const answer = await world.api(path, { as: bea, method, body: JSON.stringify(body()) })
    const json = await answer.json()
    expect([path, answer.status, json.error]).toEqual([path, 429, GENERAL])
    expect(Number(answer.headers.get('Retry-After')), path).toBe(Math.ceil(json.retryInMs / 1000))
    await reset(rate, key)
  }
})

test('a page is limited by the same classes as its call', async () => {
  const { take, reset } = world.services.limits
  const post = (path: string, fields: Record<string, string>) =>
    world.page(path, { as: ann, method: 'POST', body: new URLSearchParams(fields) })
  const PAGES: readonly [RateClass, string, Record<string, string>][] = [
    ['LIKE', '/discover', { intent: 'buzz', to: cat.id, live: 'yes' }],
    ['WRITE', '/discover', { intent: 'skip', to: cat.id, live: 'yes' }],
    ['SKIP', '/discover', { intent: 'skip', to: cat.id, live: 'yes' }],
    ['WRITE', '/discover', { intent: 'place', town: 'Oslo, NO', live: 'yes' }],
    ['LIKE', `/viewProfile/${cat.id}`, { intent: 'buzz' }],
    ['MSG', `/chat/${bea.id}`, { id: 'one', text: 'Hi', live: 'yes' }],
    ['REPORT', `/report/${cat.id}`, { words: 'Rude' }],
    ['BLOCK', `/block/${cat.id}`, { intent: 'confirm' }],
    ['CRIT', '/settings/delete', { intent: 'deactivate' }],
    ['CRIT', '/settings/delete', { intent: 'ask-delete', password: 'a guess' }],
    ['CRIT', '/settings/delete?confirm=delete', { intent: 'delete', typed: 'DELETE' }],
  ]
  for (const [rate, path, fields] of PAGES) {
    await take(rate, ann.id, RATES[rate].windows[0].points)
    expect([rate, path, (await post(path, fields)).status]).toEqual([rate, path, 429])
    await reset(rate, ann.id)
  }
})

test('a like after one that was taken back waits as one of too many does, by call, form and card', async () => {
  const pages = [`/viewProfile/${cat.id}`, '/discover']
  const post = (path: string, intent: string, more = {}) => {
    const body = new URLSearchParams({ intent, to: cat.id, commandId: randomUUID(), ...more })
    return world.page(path, { as: bea, method: 'POST', body })
  }
  const like = () => world.api('/likes', { as: bea, method: 'POST', body: JSON.stringify({ to: cat.id }) })
  expect((await like()).status).toBe(200)
  expect((await post(pages[0]!, 'withdraw')).status).toBe(302)
  const answer = await like()
  const json = await answer.json()
  expect([answer.status, json.error]).toEqual([429, 'Slow down 🙂 You can buzz again in a bit.'])
  expect(json.retryInMs).toBeGreaterThan(0)
  expect(json.retryInMs).toBeLessThanOrEqual(10_000)
  expect(Number(answer.headers.get('Retry-After'))).toBe(Math.ceil(json.retryInMs / 1000))
  for (const path of pages) {
    const refused = await post(path, 'buzz', { live: 'yes' })
    expect([path, refused.status, await refused.text()]).toEqual([path, 429, expect.stringContaining('Slow down 🙂')])
  }
})

test('whoever has changed a profile as often as a day allows can still hide it, and not show it', async () => {
  const { take, reset } = world.services.limits
  await take('EDIT', cat.id, RATES.EDIT.windows[0].points)
  const put = async (changes: object) =>
    (await world.api('/users/me', { as: cat, method: 'PUT', body: JSON.stringify(changes) })).status
  const hidden = { visibility: 'invisible', visibilityMode: 'hidden' }
  const all = [hidden, { visibilityMode: 'hidden' }, { visibilityMode: 'full' }, { ...hidden, bio: 'Hi' }]
  const statuses: number[] = []
  for (const changes of all) statuses.push(await put(changes))
  expect(statuses).toEqual([200, 200, 429, 429])
  await reset('EDIT', cat.id)
})

test('a gallery changes no more often in a day than a profile, and a picture can still be hidden', async () => {
  const { take, reset } = world.services.limits
  await take('EDIT', cat.id, RATES.EDIT.windows[0].points)
  const { media } = await (await world.api('/users/me', { as: cat })).json()
  const change = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ media: media[1].id, live: 'yes', ...fields })
    return (await world.page('/profile/gallery', { as: cat, method: 'POST', body })).status
  }
  const statuses: number[] = []
  for (const intent of ['private', 'public', 'avatar']) statuses.push(await change({ intent }))
  expect(statuses).toEqual([200, 429, 429])
  await reset('EDIT', cat.id)
})

test('a session that does as much as it may leaves another of the account a way to end it', async () => {
  const { limits, sessions } = world.services
  const own = await sessions.find(ann.token)
  await limits.take('WRITE', ann.id, RATES.WRITE.windows[0].points)
  const end = () => world.api('/auth/sessions/all', { as: ann, method: 'DELETE' })
  expect((await end()).status).toBe(200)
  await limits.take('SESSIONS', own!.id, RATES.SESSIONS.windows[0].points)
  const answer = await end()
  expect([answer.status, await answer.json()]).toMatchObject([429, { error: GENERAL }])
  await limits.reset('WRITE', ann.id)
  await limits.reset('SESSIONS', own!.id)
})

test('a deck is dealt no more often than anything else is read', async () => {
  const { take, reset } = world.services.limits
  await take('READ', ann.id, RATES.READ.windows[0].points)
  const page = await world.page('/discover', { as: ann })
  expect([page.status, Number(page.headers.get('Retry-After')) > 0]).toEqual([429, true])
  await reset('READ', ann.id)
  expect((await world.page('/discover', { as: ann })).status).toBe(200)
})

test('the page of the deck has a limit of its own, beyond all swipes of a minute', async () => {
  const { take, reset } = world.services.limits
  const [{ points }] = RATES.DECK.windows
  expect(points).toBeGreaterThanOrEqual(RATES.LIKE.windows[0].points + RATES.WRITE.windows[0].points)
  await reset('DECK', bea.id)
  await take('DECK', bea.id, points - 2)
  const statuses: number[] = []
  for (const end of ['.data', '', '.data', '']) statuses.push((await world.page(`/discover${end}`, { as: bea })).status)
  expect(statuses).toEqual([200, 200, 429, 429])
  expect((await take('READ', bea.id)).ok).toBe(true)
})

test('one connection may fail to sign in thirty times, whoever it tries', async () => {
  const context = { ...world.context, limits: world.services.limits, ip: '2001:db8:7::1' }
  const neighbour = { ...context, ip: '2001:db8:7::2' }
  const elsewhere = { ...context, ip: '2001:db8:8::1' }
  const reasons: string[] = []
  for (let n = 0; n < 31; n++) {
    const answer = await logIn(n % 2 ? context : neighbour, {
      email: `nobody${n}@example.com`,
      password: 'a guess',
      label: 'A test',
    })
    reasons.push(answer.ok ? 'signed in' : answer.reason)
  }
  expect(reasons).toEqual([...Array(30).fill('invalid-credentials'), 'slow-down'])
  const right = { email: ann.email, password: PASSWORD, label: 'A test' }
  expect(await logIn(context, right)).toEqual({ ok: false, reason: 'slow-down', retryInMs: expect.any(Number) })
  expect(await logIn(elsewhere, right)).toMatchObject({ ok: true })
})
