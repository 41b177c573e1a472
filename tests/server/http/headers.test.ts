import { request as rawRequest } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { policyReports } from '../../../server/http/policy-reports.ts'
import { type EchoOptions, startEcho } from '../../support/servers/echo-server.ts'

const ALWAYS = [
  'content-security-policy',
  'strict-transport-security',
  'x-content-type-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'cache-control',
]

let server: HttpServer
let base: string

beforeAll(async () => {
  server = await startEcho()
  base = `http://localhost:${server.port}`
})
afterAll(() => server.close())

function missing(headers: { has(name: string): boolean }): string[] {
  return ALWAYS.filter((name) => !headers.has(name))
}

/** A request as no fetch would send it. */
function raw(method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Headers }>((resolve, reject) => {
    const asked = rawRequest({ host: '127.0.0.1', port: server.port, method, path, headers }, (answer) => {
      answer.resume()
      const pairs = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
      resolve({ status: answer.statusCode ?? 0, headers: new Headers(pairs) })
    })
    asked.on('error', reject).end()
  })
}

test.each(['/page', '/api/data', '/redirect', '/throws', '/api/throws', '/api/not-json', '/raw', '/healthz'])(
  'the answer of %s carries every security header',
  async (path) => {
    expect(missing((await fetch(base + path, { redirect: 'manual' })).headers)).toEqual([])
  },
)

test('a page may use what the product does, its films at full size among it, and no other device', async () => {
  const policy = (await fetch(`${base}/page`)).headers.get('permissions-policy')?.split(', ') ?? []
  const ours = ['camera', 'microphone', 'geolocation', 'autoplay', 'fullscreen'].map((name) => `${name}=(self)`)
  expect(policy.filter((one) => !one.endsWith('=()'))).toEqual(ours)
  expect(policy).toEqual(expect.arrayContaining(['usb=()', 'payment=()', 'display-capture=()']))
})

test.each([
  ['TRACE', '/page', 405],
  ['PROPFIND', '/api/data', 405],
  ['OPTIONS', '/page', 204],
  ['GET', '/%E0%A4%A', 400],
  ['GET', '//evil.example/', 400],
  ['GET', '/a%00b', 400],
  ['GET', '/a\\b', 400],
  ['POST', '/page', 403],
  ['GET', `/page?${'a=1&'.repeat(99)}a=1`, 200],
  ['GET', `/page?${'a=1&'.repeat(100)}a=1`, 400],
])('%s %s answers %i with every security header', async (method, path, status) => {
  const answer = await raw(method, path)
  expect(answer.status).toBe(status)
  expect(missing(answer.headers)).toEqual([])
})

test.each([
  'NONSENSE\r\n\r\n',
  'GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
])('a connection that is no request is refused with every security header', async (text) => {
  const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const answer = Buffer.concat(chunks).toString().toLowerCase()
  expect(answer).toMatch(/^http\/1\.1 40[04]/)
  expect(ALWAYS.filter((name) => !answer.includes(`${name}:`))).toEqual([])
})

test.each(['/page', '/api/data', '/healthz', '/nowhere'])(
  'a request for %s that names two hosts is answered 400, with every security header, also where it wants a socket',
  async (path) => {
    for (const more of ['', 'Upgrade: websocket\r\nConnection: Upgrade\r\n']) {
      const own = `Host: localhost:${server.port}\r\n`
      const second = 'hOsT: other.example\r\n'
      const [one, two] = await Promise.all([own, own + second].map((hosts) => sentAs(path, hosts + more)))
      expect(one).not.toMatch(/^http\/1\.1 400 /)
      expect(two).toMatch(/^http\/1\.1 400 /)
      expect(ALWAYS.filter((name) => !two?.includes(`${name}:`))).toEqual([])
    }
  },
)

/** The answer to a look with this head, in small letters. */
async function sentAs(path: string, head: string): Promise<string> {
  const text = `GET ${path} HTTP/1.1\r\n${head}${head.includes('Connection') ? '' : 'Connection: close\r\n'}\r\n`
  const socket = connect(server.port, '127.0.0.1', () => socket.write(text))
  const chunks = await socket.toArray()
  return Buffer.concat(chunks).toString().toLowerCase()
}

test('a page may run its own scripts by nonce, and is never stored', async () => {
  const answer = await fetch(`${base}/page`)
  const nonce = (await answer.text()).match(/nonce=([\w-]+)/)?.[1]
  expect(answer.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('data opened by itself runs nothing', async () => {
  expect((await fetch(`${base}/api/data`)).headers.get('content-security-policy')).toMatch(
    /^default-src 'none'.*sandbox$/,
  )
})

test('errors under /api are JSON, elsewhere a page, and reveal no internals', async () => {
  const data = await fetch(`${base}/api/throws`)
  const shown = { error: 'Something went wrong.', requestId: data.headers.get('X-Request-Id') }
  expect([data.status, await data.json()]).toEqual([500, shown])
  const plain = await fetch(`${base}/api/not-json`)
  expect([plain.status, await plain.json()]).toEqual([405, { error: 'Method not allowed' }])
  const page = await (await fetch(`${base}/throws`)).text()
  expect(page).toContain('Something went wrong.')
  expect(page).not.toContain('kaput')
})

test('JSON above 64 KiB is refused, announced or streamed', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(70_000) })
  const headers = { 'Content-Type': 'application/json' }
  const announced = await fetch(`${base}/api/data`, { method: 'POST', headers, body })
  expect([announced.status, await announced.json()]).toEqual([413, { error: 'File too large' }])
  const streamed: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers,
    body: new Blob([body]).stream(),
    duplex: 'half',
  }
  expect((await fetch(`${base}/api/data`, streamed)).status).toBe(413)
})

test.each([
  ['Application/JSON', 70_000, 413],
  ['application/json ; charset=utf-8', 70_000, 413],
  ['application/x-www-form-urlencoded', 70_000, 200],
  ['application/x-www-form-urlencoded', 300_000, 413],
  ['constructor', 300_000, 413],
  ['application/csp-report', 15_000, 200],
  ['application/csp-report', 17_000, 413],
  ['Multipart/Form-Data; boundary=x', 300_000, 200, '/api/upload-media'],
  ['Multipart/Form-Data; boundary=x', 300_000, 413],
])('the limit of %s is that of its type, however it is written', async (type, bytes, status, path = '/api/data') => {
  const body = 'x'.repeat(bytes)
  const answer = await fetch(`${base}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body })
  expect(answer.status).toBe(status)
})

test('forwarded addresses count behind a trusted proxy alone', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7' }
  expect(await (await fetch(`${base}/api/ip`, { headers })).json()).toEqual({ ip: '127.0.0.1' })
  const proxied = await startEcho({ trustProxy: true } satisfies EchoOptions)
  const ipOf = async (forwarded: string) => {
    const headers = { 'X-Forwarded-For': forwarded }
    return (await (await fetch(`http://localhost:${proxied.port}/api/ip`, { headers })).json()).ip
  }
  expect(await ipOf(headers['X-Forwarded-For'])).toBe('198.51.100.7')
  // Some proxies write the visitor's port, too: each connection would be a network of its own.
  for (const one of [
    '198.51.100.7:4711',
    '::ffff:198.51.100.7',
    '[::FFFF:198.51.100.7]:4711',
    '0:0:0:0:0:ffff:c633:6407',
  ])
    expect(await ipOf(one)).toBe('198.51.100.7')
  for (const one of ['2001:db8::7', '[2001:db8::7]', '[2001:db8::7]:4711']) expect(await ipOf(one)).toBe('2001:db8::7')
  await proxied.close()
})

test('a report of the policy keeps the rule and the host, and no path', async () => {
  const reports: unknown[] = []
  let wait: number | null = null
  const onReport = (report: unknown) => void reports.push(report)
  const listening = await startEcho({ raw: [policyReports({ onReport, waitOf: async () => wait })] })
  const blocked = {
    'effective-directive': 'img-src',
    'blocked-uri': 'https://cdn.example/ann.jpg',
    'document-uri': '/view/ann',
  }
  const headers = { 'Content-Type': 'application/csp-report', 'Sec-Fetch-Site': 'same-origin' }
  const url = `http://localhost:${listening.port}/csp-report`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ 'csp-report': blocked }) })
  expect([answer.status, reports]).toEqual([204, [{ directive: 'img-src', blocked: 'cdn.example' }]])
  const other = {
    ...headers,
    'Content-Type': 'multipart/form-data; boundary=b',
    Origin: url.replace('/csp-report', ''),
  }
  expect((await fetch(url, { method: 'POST', headers: other, body: 'x'.repeat(100_000) })).status).toBe(415)
  wait = 1_500
  const refused = await fetch(url, { method: 'POST', headers, body: '{}' })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
  expect(reports).toHaveLength(1)
  await listening.close()
})

test('a taken port is explained and names PORT', async () => {
  const again = startEcho({ port: server.port })
  await expect(again).rejects.toThrow(
    `Port ${server.port} on 127.0.0.1 is taken by another program. Stop it, or set PORT`,
  )
})

test('text is compressed for those who ask', async () => {
  const answer = await fetch(`${base}/long`, { headers: { 'Accept-Encoding': 'gzip' } })
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(await answer.text()).toHaveLength(20_000)
})

test('an address that is too long is answered in words', async () => {
  const answer = await fetch(`http://localhost:${server.port}/page?q=${'x'.repeat(20_000)}`)
  expect([answer.status, await answer.text()]).toEqual([
    431,
    'This address is too long. Go back and search for less.\n',
  ])
})

test('an idle connection is kept for longer than the two minutes of a proxy', async () => {
  const { headers } = await raw('GET', '/page', { Connection: 'keep-alive' })
  const kept = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])
  expect(kept).toBeGreaterThan(120)
})
