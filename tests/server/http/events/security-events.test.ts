import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../../server/http/http-server.ts'
import { securityEventOf } from '../../../../server/http/security-events.ts'
import { createLogger } from '../../../../services/log.ts'
import { holdNode } from '../../../support/described/hold-node.ts'
import { serveWeb } from '../../../support/described/serve-web.ts'
import { turnOn } from '../../../support/outside/authenticator.ts'
import { until } from '../../../support/until.ts'
import { startWorld, type World } from '../../../support/world.ts'
import type { Person } from '../../../support/world-people.ts'

type Line = {
  kind?: string
  who?: string
  where?: string
  route?: string
  name?: string
  host?: string
  count?: number
}
let world: World
let ann: Person
let web: HttpServer
const lines: string[] = []
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
  ann = await world.member('Ann')
  const { product, config, publicUrl } = world
  const logger = createLogger({ destination: { write: (line) => void lines.push(line) } })
  web = await serveWeb({ product, config, port: 0, publicUrl, now: () => new Date(), logger })
})
afterAll(async () => {
  await web.close()
  await world.stop()
})

test.each([
  ['POST', '/api/auth/login', 200, 'login'],
  ['POST', '/api/auth/second-factor', 200, 'login'],
  ['POST', '/api/auth/second-factor', 403, 'login-failed'],
  ['POST', '/login', 302, 'login', true],
  ['POST', '/login.data', 202, 'login', true],
  ['POST', '/login', 302, null],
  ['POST', '/login/code', 302, 'login', true],
  ['POST', '/login/code.data', 202, 'login', true],
  ['POST', '/login/code', 403, 'login-failed'],
  ['POST', '/login/code', 302, 'login-failed'],
  ['POST', '/api/auth/login', 401, 'login-failed'],
  ['POST', '/login', 401, 'login-failed'],
  ['POST', '/login', 400, null],
  ['GET', '/login', 200, null],
  ['POST', '/login', 429, 'limit-hit'],
  ['GET', '/api/discover', 429, 'limit-hit'],
  ['GET', '/api/users/me', 401, 'denied'],
  ['POST', '/logout', 403, 'denied'],
  ['GET', '/api/users/me', 404, null],
  ['POST', '/api/auth/login', 403, null, false, true],
  ['POST', '/api/auth/google', 403, null, false, true],
  ['POST', '/api/auth/google', 200, 'login'],
  ['POST', '/api/auth/google', 401, 'login-failed'],
  ['POST', '/api/auth/google', 409, 'login-failed'],
  ['POST', '/api/auth/google', 400, null],
  ['POST', '/auth/google', 302, null],
  ['GET', '/auth/google/callback', 200, 'login', true],
  ['GET', '/auth/google/callback', 200, 'login-failed'],
  ['GET', '/auth/google/callback', 302, null, false, true],
  ['POST', '/api/auth/register-full', 200, 'login'],
  ['POST', '/api/auth/register-full', 400, null],
  ['POST', '/register', 302, 'login', true],
  ['POST', '/register', 302, null],
  ['POST', '/api/likes', 409, null],
] as readonly [string, string, number, string | null, boolean?, boolean?][])(
  '%s %s answered %i is the event %s',
  (method, pathname, status, event, signsIn = false, challenged = false) => {
    const came = { signsIn, challenged, cameSignedIn: false, kinds: [] }
    expect(securityEventOf({ method, pathname, status, ...came })).toBe(event)
  },
)

test('whoever comes back from Google signed in, or with an address that it proves, has failed at nothing', () => {
  const back = { method: 'GET', pathname: '/auth/google/callback', status: 302, signsIn: false, challenged: false }
  expect(securityEventOf({ ...back, cameSignedIn: true, kinds: [] })).toBeNull()
  expect(securityEventOf({ ...back, cameSignedIn: false, kinds: ['address-proved'] })).toBeNull()
  const call = { ...back, method: 'POST', pathname: '/api/auth/google', status: 200, cameSignedIn: false }
  expect(securityEventOf({ ...call, kinds: ['address-proved'] })).toBeNull()
})

test('signing in, failing to, being refused and hitting a limit stand in the log, with nothing personal', async () => {
  const login = (password: string) =>
    fetch(`http://localhost:${web.port}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: ann.email, password }),
    })
  expect((await login('a wrong guess')).status).toBe(401)
  expect((await login(ann.password)).status).toBe(200)
  expect((await fetch(`http://localhost:${web.port}/api/users/me`)).status).toBe(401)
  const body = new URLSearchParams({ email: ann.email, password: ann.password })
  const here = `http://localhost:${web.port}`
  const headers = { Origin: here }
  const page = await fetch(`${here}/login`, { method: 'POST', headers, body, redirect: 'manual' })
  expect(page.status).toBe(302)
  await world.services.limits.take('ANONYMOUS', '127.0.0.1', 120)
  await world.services.limits.take('ANONYMOUS', '0:0:0:0', 120)
  expect((await login(ann.password)).status).toBe(429)
  const events = () => lines.map((line) => JSON.parse(line) as Line).filter(({ kind }) => kind)
  const answered = () => events().filter(({ kind }) => kind !== 'new-device')
  await until('five events stand in the log', () => answered().length === 5)
  expect(answered().map(({ kind }) => kind)).toEqual(['login-failed', 'login', 'denied', 'login', 'limit-hit'])
  expect(events().filter(({ kind }) => kind === 'new-device').length).toBeGreaterThan(0)
  for (const { where } of events()) expect(where).toMatch(/^[\w-]{16}$/)
  expect(new Set(events().map(({ where }) => where)).size).toBe(1)
  const [failed, done, denied, second] = answered()
  expect(failed?.who).toMatch(/^[\w-]{16}$/)
  expect([done?.who, second?.who, denied?.who]).toEqual([failed?.who, failed?.who, undefined])
  const routes = ['/api/auth/login', '/api/auth/login', '/api/users/me', '/login', '/api/auth/login']
  expect(answered().map(({ route }) => route)).toEqual(routes)
  const emailKey = world.services.credentials.emailKey(ann.email)
  for (const secret of [ann.email, emailKey, ann.password, ann.token, ann.id, 'wrong guess', '127.0.0.1'])
    expect(lines.join('')).not.toContain(secret)
})

test('what a limit refuses to a member is noted with a hash of theirs', async () => {
  lines.length = 0
  const bea = await world.member('Bea')
  await world.services.limits.take('READ', bea.id, 10_000)
  const headers = { Authorization: `Bearer ${bea.token}` }
  expect((await fetch(`http://localhost:${web.port}/api/chat/unread`, { headers })).status).toBe(429)
  const events = () => lines.map((line) => JSON.parse(line) as Line).filter(({ kind }) => kind)
  await until('the event stands in the log', () => events().length === 1)
  expect(events()).toMatchObject([{ kind: 'limit-hit', who: expect.stringMatching(/^[\w-]{16}$/) }])
  expect(lines.join('')).not.toContain(bea.id)
})

const call = async (path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`http://localhost:${web.port}/api/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { challenge: string }
}
const events = () => lines.map((line) => JSON.parse(line) as Line).filter(({ kind }) => kind)

test('a code after a right password stands in the log with whose it is, and the question for it is no failure', async () => {
  lines.length = 0
  await world.services.limits.reset('ANONYMOUS', '127.0.0.1')
  await world.services.limits.reset('ANONYMOUS', '0:0:0:0')
  const cat = await world.member('Cat')
  const app = await turnOn(world.services, cat.id)
  const asked = () => call('login', { email: cat.email, password: cat.password })
  const { challenge } = await asked()
  await call('second-factor', { challenge, code: app.wrong() })
  await call('second-factor', { challenge, code: 'no recovery code' })
  await call('second-factor', { challenge, code: app.next() })
  await call('login', { email: cat.email, password: 'a wrong guess' })
  await until('five events stand in the log', () => events().length === 5)
  const kinds = ['login-failed', 'login-failed', 'login', 'new-device', 'login-failed']
  expect(events().map(({ kind }) => kind)).toEqual(kinds)
  const [known] = events()
  expect(known?.who).toMatch(/^[\w-]{16}$/)
  expect(new Set(events().map(({ who }) => who))).toEqual(new Set([known?.who]))
  expect(lines.join('')).not.toContain(cat.id)
})

test('refusals of one kind and network are so many lines a minute, also of what would sign in', async () => {
  await world.services.limits.reset('ANONYMOUS', '127.0.0.1')
  await world.services.limits.reset('ANONYMOUS', '0:0:0:0')
  lines.length = 0
  const foreign = { Origin: 'https://elsewhere.example' }
  const ask = (localAddress: string, path = '/nowhere') =>
    new Promise<number | undefined>((resolve, reject) => {
      const asking = { host: '127.0.0.1', port: web.port, localAddress, path, method: 'POST' }
      const sent = request({ ...asking, headers: foreign }, async (answer) => {
        const body = Buffer.concat(await answer.toArray())
        await holdNode(`http://localhost:${web.port}${path}`, 'POST', answer, body)
        resolve(answer.statusCode)
      })
      sent.on('error', reject).end()
    })
  for (let sent = 0; sent < 50; sent++) expect(await ask('127.0.0.7')).toBe(403)
  expect(await ask('127.0.0.8')).toBe(403)
  const where = () => events().map(({ where }) => where)
  await until('the other network stands in the log', () => new Set(where()).size === 2)
  expect(events()).toHaveLength(21)
  expect(where().at(-1)).not.toBe(where()[0])
  lines.length = 0
  for (let sent = 0; sent < 50; sent++) expect(await ask('127.0.0.7', '/login')).toBe(403)
  expect(await ask('127.0.0.8', '/login')).toBe(403)
  await until('the other network stands in the log again', () => new Set(where()).size === 2)
  expect(events().map(({ kind }) => kind)).toEqual(Array(21).fill('login-failed'))
})

test('a report of the policy stands in the log with its rule and host, and a flood of them does not', async () => {
  const report = async (directive: string) => {
    const headers = { 'Content-Type': 'application/csp-report', 'Sec-Fetch-Site': 'same-origin' }
    const blocked = 'https://cdn.example/ann.jpg?who=ann'
    const about = { 'effective-directive': directive, 'blocked-uri': blocked, 'document-uri': '/view/ann?who=ann' }
    const body = JSON.stringify({ 'csp-report': about })
    return (await fetch(`http://localhost:${web.port}/csp-report`, { method: 'POST', headers, body })).status
  }
  lines.length = 0
  await report('img-src')
  const reported = () => events().filter(({ kind }) => kind === 'policy-report')
  await until('the report stands in the log', () => reported().length === 1)
  expect(reported()).toMatchObject([{ name: 'img-src', host: 'cdn.example', count: 0 }])
  expect(lines.join('')).not.toContain('ann')
  for (let sent = 1; sent < 50; sent++) expect(await report('script-src')).toBe(204)
  expect(reported()).toHaveLength(20)
  while ((await report('img-src')) === 204) expect(reported().length).toBeLessThan(60)
  expect(await report('img-src')).toBe(429)
})
