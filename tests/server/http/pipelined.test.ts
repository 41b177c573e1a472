import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { RawHandler } from '../../../server/http/handler.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { HalfOpen } from '../../support/servers/half-open.ts'
import { until } from '../../support/until.ts'

const servers: HttpServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

const MIB = 1024 * 1024
/** On a machine that does other things as well. */
const READ_WITHIN_MS = 50_000
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
const pathnameOf = (request: Request) => new URL(request.url).pathname

async function serve(handle: RawHandler): Promise<HttpServer> {
  const server = await startEcho({ raw: [handle] })
  servers.push(server)
  return server
}

/** A connection that reads nothing. */
async function unread({ port }: HttpServer, text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause().write(text)
  return socket
}

async function isClosed(socket: Socket): Promise<void> {
  socket.resume()
  await until('it is closed', () => socket.closed)
}

/** How many requests the parsers of this process have taken in since. */
function countingParsed(): () => number {
  let parsed = 0
  const count = () => void parsed++
  const started = channel('http.server.request.start')
  started.subscribe(count)
  onTestFinished(() => void started.unsubscribe(count))
  return () => parsed
}

const answersOthers = async ({ port }: HttpServer) => (await fetch(`http://localhost:${port}/other`)).status === 200

test('of requests sent together each begins once the answer before it was read', async () => {
  const begun: string[] = []
  const server = await serve((request) => {
    if (!pathnameOf(request).startsWith('/large')) return null
    begun.push(pathnameOf(request))
    return new Response(Buffer.alloc(8 * MIB))
  })
  const asked = Array.from({ length: 10 }, (_, n) => `/large/${n}`)
  const socket = await unread(server, asked.map((path) => get(path)).join(''))
  await until('the first has begun', () => begun.length > 0)
  expect(await answersOthers(server)).toBe(true)
  expect(begun).toEqual(['/large/0'])
  let bytes = 0
  socket.on('data', (part) => {
    bytes += part.length
  })
  socket.resume()
  await until('all is read', () => bytes > asked.length * 8 * MIB, READ_WITHIN_MS)
  expect(begun).toEqual(asked)
  socket.destroy()
})

test('hundreds of requests sent together end the connection, and begin no more than one', async () => {
  let begun = 0
  const server = await serve((request) => {
    if (pathnameOf(request) !== '/large') return null
    begun += 1
    return new Response(Buffer.alloc(MIB))
  })
  const sockets = await Promise.all(Array.from({ length: 5 }, () => unread(server, get('/large').repeat(200))))
  await Promise.all(sockets.map(isClosed))
  expect(await answersOthers(server)).toBe(true)
  expect(begun).toBeLessThanOrEqual(sockets.length)
})

/** Serves endless answers to whoever asks for `/stream`, by five who ask for so many together and read nothing. */
async function streams(count: number) {
  const [state, asked] = [{ begun: 0, cancelled: 0 }, get('/stream').repeat(count)]
  const server = await serve((request) => {
    if (pathnameOf(request) !== '/stream') return null
    state.begun += 1
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(MIB))
    const cancel = () => {
      state.cancelled += 1
    }
    return new Response(new ReadableStream({ pull, cancel }))
  })
  return { server, state, sockets: await Promise.all(Array.from({ length: 5 }, () => unread(server, asked))) }
}

test('of ten streams that were asked for together none outlives its connection', async () => {
  const { server, state, sockets } = await streams(10)
  await until('one has begun', () => state.begun > 0)
  expect(await answersOthers(server)).toBe(true)
  for (const socket of sockets) socket.destroy()
  await until('all are cancelled', () => state.cancelled === state.begun)
})

test('a hundred requests together end their connection before the first of them begins', async () => {
  const { server, state, sockets } = await streams(100)
  expect(await answersOthers(server)).toBe(true)
  for (const socket of sockets) socket.destroy()
  expect(state).toEqual({ begun: 0, cancelled: 0 })
})

test('a body that follows another request is read in its turn', async () => {
  const server = await serve(async (request) => (request.body ? new Response(await request.text()) : null))
  const one = await HalfOpen.to(server.port)
  const headers = 'Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n'
  one.send(`${get('/api/first')}POST /api/second HTTP/1.1\r\n${headers}\r\nhello`)
  expect(await one.answer).toMatch(/^HTTP\/1.1 200 .*"ok":true.*HTTP\/1.1 100 .*HTTP\/1.1 200 .*hello/s)
})

test('what follows an answer that closes the connection does not begin', async () => {
  let begun = 0
  const server = await serve(() => {
    begun += 1
    return null
  })
  const one = await HalfOpen.to(server.port)
  one.send(`${get('/page', 'Content-Length: 1\r\n')}x${get('/page').repeat(2)}`)
  expect((await one.answer).match(/^HTTP.*/gm)).toEqual(['HTTP/1.1 400 '])
  await one.isGone()
  expect(begun).toBe(0)
})

test.each(['GET /realtime', 'CONNECT elsewhere:443'])('%s behind an open answer ends the connection', async (asked) => {
  let taken = 0
  const server = await startEcho({
    raw: [(request) => (pathnameOf(request) === '/large' ? new Response(Buffer.alloc(8 * MIB)) : null)],
    upgrades: {
      '/realtime': () => {
        taken += 1
      },
    },
  })
  servers.push(server)
  const upgrade = `${asked} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`
  const socket = await unread(server, get('/large') + upgrade)
  await isClosed(socket)
  expect([taken, socket.bytesRead < 8 * MIB]).toEqual([0, true])
})

test('an upgrade after a whole answer is taken', async () => {
  let taken = 0
  const server = await startEcho({
    upgrades: {
      '/realtime': (_incoming, socket) => {
        taken += 1
        socket.destroy()
      },
    },
  })
  servers.push(server)
  const one = await HalfOpen.to(server.port)
  one.send(get('/api/first'))
  await one.hears('"ok":true')
  one.send(get('/realtime', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'))
  await until('it is taken', () => taken === 1)
  one.close()
})

test('what nobody can expect is refused in its turn, and ends the connection', async () => {
  const server = await serve(() => null)
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  let text = ''
  socket.on('data', (part) => {
    text += part
  })
  socket.write(get('/first') + get('/second', 'Expect: nonsense\r\n') + get('/third'))
  await once(socket, 'close')
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417'])
})

test('of thousands of requests that one read brings, the parser takes in no more than may wait', async () => {
  const server = await serve(() => new Response(Buffer.alloc(MIB)))
  const parsed = countingParsed()
  const socket = await unread(server, get('/one').repeat(1_500))
  await isClosed(socket)
  expect(parsed()).toBeLessThanOrEqual(18)
  expect(parsed()).toBeGreaterThan(0)
})

const lines = (count: number) => Array.from({ length: count }, (_, at) => `a${at}: 1\r\n`).join('')

test.each([
  ['heads of thousands of lines', get('/page', lines(1_500))],
  ['heads of long lines', get('/page', `Accept: ${'a'.repeat(9_000)}\r\n`)],
  ['bodies', `POST /page HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000\r\n\r\n${'a'.repeat(8_000)}`],
  ['bodies without a length', `POST /page HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
])('%s that come behind an open answer end the connection, and none is kept', async (_, request) => {
  const server = await serve(() => new Response(Buffer.alloc(8 * MIB)))
  const parsed = countingParsed()
  const socket = await unread(server, get('/large') + request.repeat(16))
  await isClosed(socket)
  expect([parsed(), socket.bytesRead < 8 * MIB]).toEqual([1, true])
})

test('a head has a hundred lines at most', async () => {
  const server = await serve(() => null)
  const statusWith = async (count: number) => {
    const one = await HalfOpen.to(server.port)
    one.send(get('/api/first', `${lines(count - 2)}Connection: close\r\n`))
    return (await one.answer).slice(9, 12)
  }
  expect([await statusWith(100), await statusWith(101), await statusWith(1_500)]).toEqual(['200', '431', '431'])
})
