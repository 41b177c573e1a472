import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../../server/http/http-server.ts'
import { startEcho } from '../../../support/servers/echo-server.ts'
import { HalfOpen } from '../../../support/servers/half-open.ts'

const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n'

let server: HttpServer
const taken: (string | undefined)[] = []
beforeAll(async () => {
  server = await startEcho({
    raw: [async (request) => (request.method === 'POST' ? Response.json({ body: await request.text() }) : null)],
    upgrades: {
      '/realtime': ({ headers }, socket) => {
        taken.push(headers.upgrade)
        socket.destroy()
      },
    },
  })
})
afterAll(() => server.close())

/** All that comes until the port closes the connection. */
async function answersTo(...pieces: string[]): Promise<string> {
  const one = await HalfOpen.to(server.port)
  for (const piece of pieces) one.send(piece)
  const text = await one.answer
  await one.isGone()
  return text
}

const ask = (line: string, head: string, body = '') =>
  `${line} HTTP/1.1\r\nHost: localhost:${server.port}\r\n${head}\r\n${body}`

/** Without what differs from answer to answer. */
const lasting = (answer: string) => answer.replace(/^(X-Request-Id|Date): .*\r\n|nonce[-="]+[\w-]+/gim, '')

test.each([
  ['/page', '200'],
  ['/api/data', '200'],
  ['/healthz', '200'],
  ['/assets/none.js', '200'],
  ['/%E0%A4%A', '400'],
  ['/realtime', '200'],
])('%s is answered %s to whoever offers HTTP/2 as to whoever does not', async (path, status) => {
  const plain = await answersTo(ask(`GET ${path}`, 'Connection: close\r\n'))
  expect(plain).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(lasting(await answersTo(ask(`GET ${path}`, H2C)))).toBe(lasting(plain))
  expect(taken).toEqual([])
})

test.each(['TLS/1.0', 'h2c, websocket', 'websocket2', ''])('the offer of "%s" is passed over', async (offer) => {
  const head = `Connection: Upgrade\r\nUpgrade: ${offer}\r\n${offer ? '' : 'Connection: close\r\n'}`
  expect(await answersTo(ask('GET /api/data', head))).toMatch(/^HTTP\/1.1 200 .*\{"ok":true\}/s)
})

test('a body that comes with an offer is read, in one piece, in several, or in chunks', async () => {
  const sized = ask('POST /api/data', `${H2C}Content-Length: 5\r\n`)
  const chunked = ask('POST /api/data', `${H2C}Transfer-Encoding: chunked\r\n`)
  for (const pieces of [[`${sized}hello`], [sized, 'he', 'llo'], [`${chunked}2\r\nhe\r\n`, '3\r\nllo\r\n0\r\n\r\n']])
    expect(await answersTo(...pieces)).toMatch(/^HTTP\/1.1 200 .*\{"body":"hello"\}/s)
})

test('what follows an offer is not left to wait: the answer says that it is the last', async () => {
  const next = ask('GET /api/next', 'Connection: close\r\n')
  const both = [ask('GET /api/data', H2C), ask('POST /api/data', `${H2C}Content-Length: 5\r\n`, 'hello')]
  for (const first of both) {
    const text = await answersTo(first + next)
    expect(text.match(/^(HTTP.*|connection: .*)/gim)).toEqual(['HTTP/1.1 200 ', 'Connection: close'])
  }
})

test('an offer behind another request is answered in its turn', async () => {
  const text = await answersTo(ask('GET /api/first', '') + ask('GET /page', H2C))
  expect(text).toMatch(/^HTTP\/1.1 200 .*\{"ok":true\}.*HTTP\/1.1 200 .*<!doctype html>/s)
})

test('a socket is asked for in capitals or not', async () => {
  for (const name of ['websocket', 'WebSocket'])
    expect(await answersTo(ask('GET /realtime', `Connection: Upgrade\r\nUpgrade: ${name}\r\n`))).toBe('')
  expect(taken).toEqual(['websocket', 'WebSocket'])
})
