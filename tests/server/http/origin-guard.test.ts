import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { startEcho } from '../../support/servers/echo-server.ts'

let server: HttpServer
let writes = 0

beforeAll(async () => {
  server = await startEcho({ onWrite: () => writes++ })
})
afterAll(() => server.close())

/** Sends exactly these headers; `OWN` in an Origin is the server's own. */
function send(path: string, headers: Record<string, string>, method = 'POST'): Promise<number> {
  const own = `http://localhost:${server.port}`
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]))
  const body = method === 'GET' ? '' : 'a=1'
  const ours = { Host: `localhost:${server.port}`, 'Content-Length': String(body.length) }
  return new Promise((resolve, reject) => {
    const asked = rawRequest(
      { host: '127.0.0.1', port: server.port, method, path, headers: { ...ours, ...sent } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    asked.on('error', reject).end(body)
  })
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

test.each([
  ['/page', { Origin: 'OWN' }, 200],
  ['/page', { Origin: 'OWN', 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['/page', { 'Sec-Fetch-Site': 'same-origin' }, 200],
  ['/page', { 'Sec-Fetch-Site': 'none' }, 200],
  ['/page', {}, 403],
  ['/page', { Origin: 'null' }, 403],
  ['/page', { Origin: 'https://evil.example' }, 403],
  ['/page', { Origin: 'http://localhost:1' }, 403],
  ['/page', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }, 403],
  ['/page', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['/page', { 'Sec-Fetch-Site': 'same-site' }, 403],
  ['/page.data', { Origin: 'https://evil.example' }, 403],
  ['/page?_data=root', { Origin: 'https://evil.example' }, 403],
  ['/page', { Host: 'evil.example', Origin: 'http://evil.example' }, 421],
  ['/api/data', {}, 200],
  ['/api/data', { Origin: 'OWN' }, 200],
  ['/api/data', { Origin: 'https://evil.example' }, 403],
  ['/api/data', { Origin: 'null' }, 403],
  ['/api/data', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ['/API/data', { Origin: 'https://evil.example' }, 403],
])('a write to %s with %o answers %i', async (path, headers, status) => {
  const before = writes
  expect(await send(path, { ...FORM, ...headers })).toBe(status)
  expect(writes - before).toBe(status === 200 ? 1 : 0)
})

test.each([
  ['/api/data', {}, 200],
  ['/api/data', { Origin: 'OWN' }, 200],
  ['/api/data', { 'Sec-Fetch-Site': 'cross-site' }, 200],
  ['/api/data', { Origin: 'https://evil.example' }, 403],
  ['/API/data', { Origin: 'null' }, 403],
  ['/page', { Origin: 'https://evil.example' }, 200],
])('a look at %s with %o answers %i', async (path, headers, status) => {
  expect(await send(path, headers, 'GET')).toBe(status)
})

test('a page elsewhere learns not even what a call takes', async () => {
  expect(await send('/api/data', { Origin: 'https://evil.example' }, 'OPTIONS')).toBe(403)
})

test.each(['PUT', 'PATCH', 'DELETE'])('%s of a foreign page is refused like a POST', async (method) => {
  expect(await send('/page', { Origin: 'https://evil.example' }, method)).toBe(403)
})

test('a forwarded host of a visitor does not make a foreign page our own', async () => {
  const headers = { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' }
  expect(await send('/page', headers)).toBe(403)
})

test('in production only the public address may write', async () => {
  const options = { mode: 'production', publicUrl: 'https://letsbuzz.example', trustProxy: true } as const
  const production = await startEcho(options)
  const post = (host: string, origin: string) =>
    new Promise<number>((resolve) => {
      const headers = { Host: host, Origin: origin, 'X-Forwarded-Proto': 'https' }
      rawRequest({ host: '127.0.0.1', port: production.port, method: 'POST', path: '/page', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      }).end()
    })
  expect(await post('letsbuzz.example', 'https://letsbuzz.example')).toBe(200)
  expect(await post('letsbuzz.example', 'http://letsbuzz.example')).toBe(403)
  expect(await post('localhost', 'http://localhost')).toBe(421)
  await production.close()
})
