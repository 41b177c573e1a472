import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { HttpServer, HttpServerOptions } from '../../../server/http/http-server.ts'
import { startPages } from '../../support/pages.ts'

const MIB = 1024 * 1024
const refused = () => Response.json({ error: 'No.' }, { status: 413 })
const END = '{"error":"No."}'

let server: HttpServer
const start = async (options: Partial<HttpServerOptions>) => {
  server = await startPages(null, options)
}
afterEach(() => server.close())

async function connected(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const head = (type: string, length: number | null) => {
  const size = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  return `POST /api/x HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`
}
const chunk = (bytes: number) =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes), Buffer.from('\r\n')])
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data; boundary=b'

/** Everything that comes until the other side closes. */
async function answerOn(socket: Socket): Promise<string> {
  return Buffer.concat(await socket.toArray()).toString()
}

/** Sends all of a body before it looks at the answer, as browsers do. */
async function sendFirst(type: string, length: number | null, body: Buffer): Promise<string> {
  const socket = await connected()
  socket.write(head(type, length))
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.write(body, () => resolve())
  })
  return answerOn(socket)
}

const SENT = 20 * MIB
const body = Buffer.alloc(SENT)

async function readOne(request: Request): Promise<void> {
  const reader = request.body!.getReader()
  await reader.read()
  await reader.cancel()
}

test.each([
  ['nobody reads', FORM_TYPE, SENT, body, async () => refused()],
  ['is read in part', FORM_TYPE, SENT, body, (request: Request) => readOne(request).then(refused)],
  ['is announced as too long', JSON_TYPE, SENT, body, async () => refused()],
  [
    'turns out to be too long',
    JSON_TYPE,
    null,
    Buffer.concat([chunk(SENT), Buffer.from('0\r\n\r\n')]),
    async (request: Request) => Response.json(await request.json()),
  ],
])(
  'whoever sends all of a body that %s gets the answer, and the connection is closed',
  async (_what, type, length, sent, remix) => {
    await start({ remix })
    const answer = await sendFirst(type, length, sent)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toMatch(/\r\nConnection: close\r\n/i)
    expect(answer).toMatch(/\r\n\r\n\{"error":".+"\}$/)
  },
)

test('the answer comes before the body is sent', async () => {
  await start({ remix: async () => refused() })
  const socket = await connected()
  socket.write(head(FORM_TYPE, SENT))
  let answer = ''
  while (!answer.endsWith(END)) answer += String((await once(socket, 'data'))[0])
  expect(answer).toMatch(/\r\nContent-Length: 15\r\n/i)
  socket.end(body)
  await once(socket, 'close')
})

test('a redirect reaches its sender the same way, without a body', async () => {
  await start({ remix: async () => new Response(null, { status: 302, headers: { Location: '/login' } }) })
  const answer = await sendFirst(FORM_TYPE, SENT, body)
  expect(answer).toMatch(/^HTTP\/1\.1 302 [\s\S]+\r\n\r\n$/)
})

test.each([
  ['falls silent', { ms: 60_000, idleMs: 50 }, () => false],
  ['never stops', { ms: 50, idleMs: 60_000 }, (socket: Socket) => socket.write(Buffer.alloc(MIB))],
])('a sender who %s after the answer is cut off', async (_what, linger, send) => {
  await start({ remix: async () => refused(), linger })
  const socket = await connected()
  socket.on('error', () => undefined)
  socket.on('drain', () => send(socket))
  socket.write(head(FORM_TYPE, 50 * MIB))
  send(socket)
  const closed = once(socket.resume(), 'close')
  await closed
})

test('a connection whose whole body has come unread serves the next request', async () => {
  await start({ remix: async () => refused() })
  const socket = await connected()
  const small = Buffer.alloc(20 * 1024)
  const request = Buffer.concat([Buffer.from(head(JSON_TYPE, small.length)), small])
  for (let n = 0; n < 3; n++) {
    socket.write(request)
    let answer = ''
    while (!answer.includes(END)) answer += String((await once(socket, 'data'))[0])
  }
  socket.destroy()
})
