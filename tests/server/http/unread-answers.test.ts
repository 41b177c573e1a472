import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'vitest'
import { type CountConnections, countAlone } from '../../../server/http/connection-caps.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { until } from '../../support/until.ts'

const MIB = 1024 * 1024
const PAGE = 'x'.repeat(16 * MIB)
const IDLE_MS = 400

/** Which compressing makes no smaller. */
const PIECE = new Uint8Array(randomBytes(64 * 1024))
const streamed = () =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(PIECE.slice()),
  })

test.each([
  [
    'whole',
    '',
    () => new Response(PAGE, { headers: { 'Content-Type': 'text/html', 'Content-Length': `${PAGE.length}` } }),
  ],
  ['in pieces', '', () => new Response(streamed(), { headers: { 'Content-Type': 'image/webp' } })],
  [
    'compressed',
    'Accept-Encoding: gzip\r\n',
    () => new Response(streamed(), { headers: { 'Content-Type': 'text/html' } }),
  ],
])('a connection that takes nothing of an answer, %s, is let go of', async (_how, header, page) => {
  let left = 0
  const connections: CountConnections = (drop) => {
    const counted = countAlone()(drop)
    const leave = (socket: Socket) => {
      left += 1
      counted.leave(socket)
    }
    return {
      leave,
      enter: (socket, network) => counted.enter(socket, network),
      asked: (socket, more) => counted.asked(socket, more),
      vouch: (socket, holder) => counted.vouch(socket, holder),
    }
  }
  const server = await startEcho({ remix: async () => page(), idleMs: IDLE_MS, connections })
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(`GET /page HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`)
  // Nothing is read, so that this end's buffers fill.
  await until('the server has let go of it', () => left === 1)
  socket.destroy()
  await server.close()
})
