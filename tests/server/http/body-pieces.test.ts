import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinPieces } from '../../../server/http/body-pieces.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { startEcho } from '../../support/servers/echo-server.ts'

let server: HttpServer
beforeAll(async () => {
  server = await startEcho()
})
afterAll(() => server.close())

/** A call whose body comes in chunks of so many bytes, however long it goes on; what was answered once the connection ended. */
function sent(chunks: number, bytes: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      text += String(part)
    })
    socket.on('close', () => resolve(text))
    const head = ['POST /api/data HTTP/1.1', `Host: localhost:${server.port}`, 'Content-Type: application/json']
    socket.write(`${[...head, 'Connection: close', 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`)
    const chunk = `${bytes.toString(16)}\r\n${'1'.repeat(bytes)}\r\n`
    socket.write(`${chunk.repeat(chunks)}0\r\n\r\n`)
  })
}

test('a body in thousands of pieces of a byte is refused, and its connection ends', async () => {
  const answer = await sent(20_000, 1)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
})

test.each([
  ['few small pieces', 200, 1],
  ['many pieces as packets have them', 400, 150],
])('a body in %s is taken', async (_what, chunks, bytes) => {
  expect(await sent(chunks, bytes)).toMatch(/^HTTP\/1\.1 200 /)
})

/** How a body of these pieces, which come at once, is passed on. */
async function passedOn(pieces: readonly Buffer[]) {
  const incoming = new Readable({ read: () => undefined }) as IncomingMessage
  const seen: number[] = []
  incoming.on('data', (piece: Buffer) => seen.push(piece.length))
  const ended = new Promise((resolve) => incoming.on('end', resolve))
  const state = joinPieces(incoming)
  for (const piece of pieces) incoming.push(piece)
  incoming.push(null)
  await ended
  return { seen, tooSmall: state.tooSmall }
}

test('small pieces are passed on together, large ones as they are, and nothing is lost', async () => {
  const small = Array.from({ length: 240 }, () => Buffer.alloc(200))
  const joined = await passedOn([Buffer.alloc(20_000), ...small, Buffer.alloc(5_000)])
  expect(joined.seen[0]).toBe(20_000)
  expect(joined.seen.length).toBeLessThan(6)
  expect(joined.seen.reduce((sum, bytes) => sum + bytes, 0)).toBe(20_000 + 240 * 200 + 5_000)
  expect(joined.tooSmall).toBe(false)
})

test('of a body in too many small pieces no more is kept than its first', async () => {
  const { seen, tooSmall } = await passedOn(Array.from({ length: 10_000 }, () => Buffer.alloc(1)))
  expect(tooSmall).toBe(true)
  expect(seen.reduce((sum, bytes) => sum + bytes, 0)).toBe(257)
})
