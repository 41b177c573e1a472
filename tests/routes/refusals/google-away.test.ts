import { EventEmitter, once } from 'node:events'
import { HttpResponse } from 'msw'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { RATES } from '../../../services/limits/rates.ts'
import { createLogger } from '../../../services/log.ts'
import { type FakeGoogle, GOOGLE_CLIENT, startGoogle } from '../../support/outside/google.ts'
import { cookiesOf, leadsTo, memberOfGoogle, visitGoogle } from '../../support/outside/google-visit.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'

type Line = { msg?: string; kind?: string; errorName?: string; errorCode?: string }
let world: World
let fake: FakeGoogle
const lines: Line[] = []
beforeAll(async () => {
  fake = await startGoogle()
  const logger = createLogger({ destination: { write: (line) => void lines.push(JSON.parse(line) as Line) } })
  world = await startWorld({ rateLimits: true, logger, config: { google: GOOGLE_CLIENT } })
}, 300_000)
afterAll(async () => {
  await world?.stop()
  fake?.stop()
})

const NETWORK = '127.0.0.1'
const [{ points }] = RATES.LOGIN_IP.windows
const FAILED = '/login?google=google-failed'
const AWAY = [503, '5', '/login?google=google-away']
beforeEach(() => void lines.splice(0))
afterEach(async () => {
  fake.mend()
  await Promise.all([
    world.services.limits.reset('LOGIN_IP', NETWORK),
    world.services.limits.reset('ANONYMOUS', NETWORK),
  ])
})

const seen = async (response: Response) => [
  response.status,
  response.headers.get('Retry-After'),
  await leadsTo(response),
]
const failures = () => lines.filter(({ msg }) => msg === 'A request failed.')
const leaveOneTry = () => world.services.limits.take('LOGIN_IP', NETWORK, points - 1)
const hasTry = async () => (await world.services.limits.peek('LOGIN_IP', NETWORK)).ok
const zoe = { sub: 'zoe', email: 'zoe.by.google@example.com' }

// First, while this process has asked for no keys.
test('while Google’s keys are away nobody’s try counts, and page and call answer that it is an outage', async () => {
  await leaveOneTry()
  fake.answer('keys', () => new HttpResponse(null, { status: 503 }))
  for (const from of ['login', 'signup']) {
    const back = await (await visitGoogle(world, fake, zoe, { from })).finish()
    expect(await seen(back)).toEqual([503, '5', `/${from}?google=google-away`])
    expect(cookiesOf(back).filter((cookie) => /^__Host-(google:[^=]*|from)=$/.test(cookie))).toHaveLength(2)
  }
  const body = JSON.stringify({ token: await fake.idToken(zoe) })
  const call = await world.api('/auth/google', { method: 'POST', body })
  const error = 'Signing in with Google does not work right now. Please try again in a moment.'
  expect([call.status, call.headers.get('Retry-After')]).toEqual([503, '5'])
  expect(await call.json()).toEqual({ error, retryInMs: 5_000 })
  expect(await hasTry()).toBe(true)
  expect(failures()).toEqual(Array(3).fill(expect.objectContaining({ errorName: 'KeysAway' })))
  expect(lines.filter(({ kind }) => kind === 'login-failed')).toEqual([])
  fake.mend()
  expect(await leadsTo(await (await visitGoogle(world, fake, zoe)).finish())).toBe('/register')
})

test('the pages that Google’s outage leads back to have words for it', async () => {
  for (const [path, words] of [
    ['/login', 'Signing in with Google does not work right now.'],
    ['/signup', 'Signing up with Google does not work right now.'],
  ])
    expect(await (await world.page(`${path}?google=google-away`)).text()).toContain(words)
})

const refusing = (error: string) => [
  error,
  () => fake.answer('token', () => HttpResponse.json({ error }, { status: 400 })),
]
const FAULTS = Object.fromEntries([
  ['invalid_client, of a secret that was changed', () => fake.changeSecret()],
  refusing('redirect_uri_mismatch'),
  refusing('invalid_request'),
  ['no connection', () => fake.answer('token', () => HttpResponse.error())],
  ['503', () => fake.answer('token', () => new HttpResponse(null, { status: 503 }))],
  ['a page', () => fake.answer('token', () => HttpResponse.html('<p>Sorry'))],
]) as Record<string, () => void>
test.each(Object.entries(FAULTS))('where Google answers %s, no try counts and one line is logged', async (_, fault) => {
  await leaveOneTry()
  fault()
  expect(await seen(await (await visitGoogle(world, fake, zoe)).finish())).toEqual(AWAY)
  expect(failures()).toHaveLength(1)
  expect(await hasTry()).toBe(true)
  expect(lines.filter(({ kind }) => kind === 'login-failed')).toEqual([])
})

test('the line of a wrong secret names what Google answered, and nothing of the visitor', async () => {
  fake.changeSecret()
  await (await visitGoogle(world, fake, zoe)).finish()
  expect(failures()).toEqual([expect.objectContaining({ errorCode: 'invalid_client' })])
  expect(JSON.stringify(lines)).not.toMatch(/zoe|a-secret/)
})

test('who leaves before Google has answered is no outage', async () => {
  const { claims } = await memberOfGoogle(world, fake, 'Max')
  const [google, leaves] = [new EventEmitter(), new AbortController()]
  const asked = once(google, 'asked')
  fake.answer('token', async () => {
    google.emit('asked')
    await once(google, 'answers')
    return undefined
  })
  await leaveOneTry()
  const left = (await visitGoogle(world, fake, claims)).finish(leaves.signal)
  await asked
  leaves.abort()
  await expect(left).rejects.toThrow()
  // Answered after the server has heard that the other connection is closed.
  await world.page('/healthz')
  google.emit('answers')
  await until('the try is given back', hasTry)
  expect(failures()).toEqual([])
})

test('a browser that an account knows loses none of its own tries to an outage either', async () => {
  const { claims } = await memberOfGoogle(world, fake, 'Ida')
  const first = await (await visitGoogle(world, fake, claims)).finish()
  const device = cookiesOf(first).find((cookie) => cookie.startsWith('__Host-device='))
  const back = async () => {
    const { start, state, code, back } = await visitGoogle(world, fake, claims)
    const query = new URLSearchParams({ state, code }).toString()
    return back(query, { Cookie: [...cookiesOf(start), device].join('; ') })
  }
  fake.changeSecret()
  for (let n = 0; n <= points; n++) expect(await seen(await back())).toEqual(AWAY)
  fake.mend()
  expect(await leadsTo(await back())).toBe('/')
})

test('what no browser brings back from Google is not asked about, and a code that Google does not know counts', async () => {
  await leaveOneTry()
  const { state, code, start, back } = await visitGoogle(world, fake, zoe)
  const ask = (given: string, as?: { Cookie: string }) => back(String(new URLSearchParams({ state, code: given })), as)
  const before = fake.questions()
  for (const made of ['a'.repeat(1_025), 'ä', 'a\nb']) expect(await leadsTo(await ask(made))).toBe(FAILED)
  for (const made of ['short', 'a'.repeat(129), 'ä'.repeat(43)]) {
    const cookie = cookiesOf(start).find((one) => one.startsWith('__Host-google:'))!
    const [name] = cookie.split('=')
    const verifier = String(new URLSearchParams({ state, [state]: made }))
    expect(await leadsTo(await ask(code, { Cookie: `${name}=${encodeURIComponent(verifier)}` }))).toBe(FAILED)
  }
  expect([fake.questions(), await hasTry()]).toEqual([before, true])
  expect(await leadsTo(await ask('made-up'))).toBe(FAILED)
  expect([fake.questions(), await hasTry()]).toEqual([before + 1, false])
  expect(failures()).toEqual([])
})

test.each([
  ['for another site', { error: 'unauthorized_client' }, 401],
  ['for a scope without an identity', { access_token: 'unused', token_type: 'Bearer' }, 200],
])('a code that Google gave %s counts as one that it does not know', async (_, answer, status) => {
  await leaveOneTry()
  fake.answer('token', () => HttpResponse.json(answer, { status }))
  expect(await leadsTo(await (await visitGoogle(world, fake, zoe)).finish())).toBe(FAILED)
  expect([await hasTry(), failures()]).toEqual([false, []])
})
