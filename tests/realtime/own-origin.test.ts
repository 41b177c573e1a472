import { afterAll, beforeAll, expect, test } from 'vitest'
import { securityHeaders } from '../../server/http/security-headers.ts'
import { HalfOpen } from '../support/servers/half-open.ts'
import { startWorld, type World } from '../support/world.ts'
import { Peer } from './peer.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** A page of one name that asks under another. */
function connect(pageOf: string, host: string): Peer {
  const { port } = new URL(world.url)
  return new Peer(Number(port), { origin: `http://${pageOf}:${port}`, headers: { Host: `${host}:${port}` } })
}

test('our own pages may connect under both local names, each to its own', async () => {
  for (const name of ['localhost', '127.0.0.1']) {
    const peer = connect(name, name)
    await peer.opened
    peer.ws.terminate()
  }
  for (const [pageOf, host] of [
    ['localhost', '127.0.0.1'],
    ['127.0.0.1', 'localhost'],
    ['evil.example', 'localhost'],
    ['evil.example', 'evil.example'],
  ] as const)
    await expect(connect(pageOf, host).opened, `${pageOf} to ${host}`).rejects.toThrow('403')
})

const WANTS = 'Upgrade: websocket\r\nConnection: Upgrade\r\n'
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const VERSION = 'Sec-WebSocket-Version: 13\r\n'
const VERSIONS = ['Sec-WebSocket-Version: 13, 8', 'Upgrade: websocket', 'Connection: close, upgrade']

test.each([
  ['a foreign page', 'GET', 'Origin: http://evil.example\r\n', '403 Forbidden', []],
  ['no key', 'GET', VERSION, '400 Bad Request', []],
  ['a key of another length', 'GET', `${VERSION}Sec-WebSocket-Key: c2hvcnQ=\r\n`, '400 Bad Request', []],
  ['an unreadable protocol', 'GET', `${VERSION}${KEY}Sec-WebSocket-Protocol: a,,b\r\n`, '400 Bad Request', []],
  ['an older version', 'GET', `${KEY}Sec-WebSocket-Version: 12\r\n`, '426 Upgrade Required', VERSIONS],
  ['no version', 'GET', KEY, '426 Upgrade Required', VERSIONS],
  ['another method', 'POST', VERSION + KEY, '405 Method Not Allowed', ['Allow: GET']],
])('an upgrade refused for %s carries what every answer of the port does', async (_why, method, head, status, more) => {
  const { port, host, origin } = new URL(world.url)
  const own = head.includes('Origin') ? '' : `Origin: ${origin}\r\n`
  const socket = await HalfOpen.to(Number(port))
  socket.send(`${method} /realtime HTTP/1.1\r\nHost: ${host}\r\n${WANTS}${own}${head}\r\n`)
  const [line, ...lines] = (await socket.answer).split('\r\n')
  expect(line).toBe(`HTTP/1.1 ${status}`)
  const always = { ...securityHeaders(), 'Cache-Control': 'no-store', 'Content-Length': '0' }
  const wanted = [...Object.entries(always).map(([name, value]) => `${name}: ${value}`), ...more]
  expect(lines).toEqual(expect.arrayContaining([...wanted, expect.stringMatching(/^Connection: close/)]))
  await socket.isGone()
})
