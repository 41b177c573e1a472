import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { HttpServer, HttpServerOptions } from '../../../server/http/http-server.ts'
import { startPages } from '../../support/pages.ts'
import { until } from '../../support/until.ts'

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

const head = (type: string, length: number | null, method = 'POST') => {
  const size = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  return `${method} /api/upload-media HTTP/1.1\r\nHost: localhost:${server.port}\r\nContent-Type: ${type}\r\n${size}\r\n\r\n`
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

test('who is cut off before the answer takes no place of those whose rest is read', async () => {
  let isCut = true
  let begun = 0
  let answered = 0
  await start({
    remix: async (request) => {
      begun++
      if (isCut) await request.text().catch(() => undefined)
      answered++
      return refused()
    },
  })
  for (let cut = 1; cut <= 9; cut++) {
    const socket = await connected()
    socket.write(head(FORM_TYPE, SENT))
    socket.write(Buffer.alloc(100))
    await until('it is read', () => begun === cut)
    socket.resetAndDestroy()
    await until('it is answered', () => answered === cut)
  }
  isCut = false
  expect(await sendFirst(FORM_TYPE, SENT, body)).toMatch(/^HTTP\/1\.1 413 /)
})

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

test('of one network the rest of eight is read after the answer, and more are closed at once', async () => {
  await start({ remix: async () => refused(), linger: { ms: 60_000, idleMs: 60_000 } })
  const refuse = async () => {
    const socket = await connected()
    socket.on('error', () => undefined)
    socket.write(head(FORM_TYPE, 50 * MIB))
    await once(socket, 'data')
    return socket
  }
  const lingering: Socket[] = []
  for (let n = 0; n < 8; n++) lingering.push(await refuse())
  const ninth = await refuse()
  await once(ninth, 'close')
  expect(lingering.map(({ closed }) => closed)).toEqual(Array(8).fill(false))
  const [leaver] = lingering as [Socket]
  leaver.destroy()
  // What was closed is read no more once its place is free for somebody who goes on sending.
  await until('there is room again', async () => {
    const socket = await refuse()
    const isRead = await new Promise<boolean>((resolve) => {
      socket.on('close', () => resolve(false))
      socket.on('drain', () => resolve(true))
      socket.write(Buffer.alloc(8 * MIB))
    })
    socket.destroy()
    return isRead
  })
  for (const socket of lingering) socket.destroy()
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

/** An answer of 50 MiB in chunks of 64 KiB, and how much of it was asked for. */
function largeAnswer(headers: Record<string, string> = {}) {
  const state = { pulled: 0, cancelled: false }
  const answer = () =>
    new Response(
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            if (state.pulled === 50 * MIB) return controller.close()
            const piece = new Uint8Array(64 * 1024)
            state.pulled += piece.length
            controller.enqueue(piece)
          },
          cancel() {
            state.cancelled = true
          },
        },
        { highWaterMark: 0 },
      ),
      { headers },
    )
  return { state, answer }
}

test.each([
  ['announced', { 'Content-Length': String(50 * MIB) }],
  ['not announced', {}],
])(
  'of a large answer, its length %s, only what the connection takes is read for whoever still sends and reads nothing',
  async (_what, headers) => {
    const { state, answer } = largeAnswer(headers)
    await start({ remix: async () => answer(), linger: { ms: 60_000, idleMs: 200 } })
    const socket = (await connected()).pause()
    socket.on('error', () => undefined)
    socket.write(head(FORM_TYPE, 1))
    await until('the answer was given up', () => state.cancelled || state.pulled === 50 * MIB)
    // Some of it is in the system's buffers of the two sockets.
    expect([state.cancelled, state.pulled < 8 * MIB]).toEqual([true, true])
    socket.destroy()
  },
)

test('a large answer comes whole to whoever sends on while they read it', async () => {
  const { state, answer } = largeAnswer({ 'Content-Length': String(50 * MIB) })
  await start({ remix: async () => answer() })
  const socket = await connected()
  socket.write(head(FORM_TYPE, SENT))
  socket.write(body)
  const text = await answerOn(socket)
  expect([state.pulled, text.length - text.indexOf('\r\n\r\n') - 4]).toEqual([50 * MIB, 50 * MIB])
  expect(text).toMatch(/\r\nConnection: close\r\n/i)
})

test.each(['GET', 'HEAD'])('a %s with a body is refused before anything is looked up, at once', async (method) => {
  let asked = 0
  const remix = async () => {
    asked++
    return refused()
  }
  await start({ remix })
  for (const length of [1, null]) {
    const socket = await connected()
    socket.write(head(FORM_TYPE, length, method))
    let answer = ''
    while (!answer.includes('\r\n\r\n')) answer += String((await once(socket, 'data'))[0])
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toMatch(/\r\nConnection: close\r\n/i)
    expect(answer).toMatch(/\r\nContent-Length: 28\r\n/i)
    socket.destroy()
  }
  expect(asked).toBe(0)
})

test('who leaves in the middle of a large answer leaves a place of the eight', async () => {
  const { state, answer } = largeAnswer()
  const remix = async ({ url }: Request) => (url.endsWith('?large') ? answer() : refused())
  await start({ remix, linger: { ms: 60_000, idleMs: 60_000 } })
  for (let n = 0; n < 8; n++) {
    const socket = await connected()
    socket.on('error', () => undefined)
    socket.write(head(FORM_TYPE, SENT).replace('/api/upload-media', '/api/upload-media?large'))
    await once(socket, 'data')
    state.cancelled = false
    socket.destroy()
    await until('the answer was given up', () => state.cancelled)
  }
  expect(await sendFirst(FORM_TYPE, SENT, body)).toMatch(/^HTTP\/1\.1 413 /)
})
