import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { RawHandler } from '../../../server/http/handler.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { HalfOpen } from '../../support/servers/half-open.ts'
import { keptConnection } from '../../support/servers/kept-connection.ts'
import { until } from '../../support/until.ts'

const servers: HttpServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

test('what is refused without an answer of a route is let go of, though its sender never closes', async () => {
  const server = await startEcho()
  servers.push(server)
  for (const text of [
    'GET /nowhere HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere\r\n\r\n',
    'no HTTP at all\r\n\r\n',
  ]) {
    const socket = await HalfOpen.to(server.port)
    socket.send(text)
    expect(await socket.answer).toMatch(/^HTTP\/1.1 40[045] /)
    await socket.isGone()
  }
})

/** Asks for a large answer, does not read it, and asks to be a WebSocket of nowhere behind it. */
async function unread(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const get = 'GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const upgrade = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
  socket.write(get + upgrade)
  return socket
}

test('a socket of nowhere counts until it is closed, is closed though nobody reads, and ends nothing by a reset', async () => {
  let asked = 0
  const large: RawHandler = async (request) => {
    if (new URL(request.url).pathname !== '/page') return null
    asked++
    return new Response(Buffer.alloc(16 * 1024 * 1024))
  }
  const server = await startEcho({ raw: [large], caps: { perNetwork: 5, total: 1_000 } })
  servers.push(server)
  const open = new Set<Socket>()
  for (let n = 0; n < 8; n++) {
    const socket = await unread(server.port)
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  await until('they have asked', () => asked >= 5)
  for (const socket of open) socket.resetAndDestroy()
  const ask = keptConnection(server.port, { path: '/other' })
  expect((await ask()).status).toBe(200)
})
