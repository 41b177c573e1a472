import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { securityEventOf } from '../../../server/http/security-events.ts'
import { startWeb } from '../../../server/web.ts'
import { createLogger } from '../../../services/log.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let ann: Person
let web: HttpServer
const lines: string[] = []
beforeAll(async () => {
  world = await startWorld({ rateLimits: true })
  ann = await world.member('Ann')
  const { product, config, publicUrl } = world
  const logger = createLogger({ destination: { write: (line) => void lines.push(line) } })
  web = await startWeb({ product, config, port: 0, publicUrl, now: () => new Date(), logger })
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
] as readonly [string, string, number, string | null, boolean?][])(
  '%s %s answered %i is the event %s',
  (method, pathname, status, event, signsIn = false) => {
    expect(securityEventOf({ method, pathname, status, signsIn })).toBe(event)
  },
)

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
  const kinds = () => lines.map((line) => (JSON.parse(line) as { kind?: string }).kind).filter((kind) => kind)
  await until('five events stand in the log', () => kinds().length === 5)
  expect(kinds()).toEqual(['login-failed', 'login', 'denied', 'login', 'limit-hit'])
  for (const secret of [ann.email, ann.password, ann.token, ann.id, 'wrong guess', '127.0.0.1'])
    expect(lines.join('')).not.toContain(secret)
})
