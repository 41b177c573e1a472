import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { AppLoadContext } from '@remix-run/node'
import { expect, test } from 'vitest'
import { createHttpHandler } from '../../../server/http/handler.ts'
import { Leaving } from '../../../server/http/turns/leaving.ts'
import { NetworkTurns } from '../../../server/http/turns/network-turns.ts'
import { RequestTurns } from '../../../server/http/turns/request-turns.ts'
import { openable } from '../../support/servers/openable.ts'
import { until } from '../../support/until.ts'

const AT_ONCE = 2
const settled = () => new Promise((resolve) => setImmediate(resolve))
const GET = 'GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n'
const TYPE = 'Content-Type: multipart/form-data; boundary=b'
const FORM = `POST /gate HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n${TYPE}\r\nContent-Length: 6\r\n\r\nhello`

/** A port that notes what was begun, and how many requests it has done with. */
async function startPort() {
  const gate = openable()
  const seen = { begun: 0, done: 0, taken: 0 }
  const application = async (request: Request) => {
    seen.begun += 1
    if (request.url.endsWith('/form')) await request.text()
    else await gate.opened
    return new Response('now')
  }
  const handle = createHttpHandler({
    mode: 'local',
    publicUrl: 'http://localhost',
    host: '127.0.0.1',
    trustProxy: false,
    turnMs: 60_000,
    contextFor: () => ({}) as AppLoadContext,
    remix: application,
  })
  const server = createServer((incoming, outgoing) => {
    seen.taken += 1
    void handle(incoming, outgoing).then(() => {
      seen.done += 1
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = (text: string) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.resume().write(text)
    return socket
  }
  const stop = () => {
    gate.open()
    server.closeAllConnections()
    server.close()
  }
  return { seen, send, stop, gate }
}

test.each([
  ['closes', GET, AT_ONCE, 'end'],
  ['breaks off', GET, AT_ONCE, 'destroy'],
  ['breaks a form with files off', FORM, 1, 'destroy'],
] as const)('a client that %s leaves the line at once', async (_how, text, atOnce, leave) => {
  const { seen, send, stop } = await startPort()
  const sockets = Array.from({ length: 40 }, () => send(text))
  await until('all wait', () => seen.taken === 40 && seen.begun === atOnce)
  const waiting = sockets.slice(20)
  for (const socket of waiting) socket[leave]()
  await until('those are done with', () => seen.done >= 20)
  expect([seen.begun, seen.done]).toEqual([atOnce, 20])
  stop()
})

test('what was sent whole is done in its turn, whether or not its sender is still there', async () => {
  const { seen, send, stop, gate } = await startPort()
  const form = `POST /gate HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 5\r\n\r\n`
  const socket = send(form)
  await until('it has begun', () => seen.begun === 1)
  socket.write('hello', () => socket.destroy())
  gate.open()
  await until('it is done with', () => seen.done === 1)
  stop()
})

test('whoever breaks a form off in its middle waits for no turn', async () => {
  const { seen, send, stop } = await startPort()
  const socket = send(
    `POST /form HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 5\r\n\r\nhe`,
  )
  await until('it is read', () => seen.begun === 1)
  for (let n = 0; n < AT_ONCE; n++) send(GET)
  await until('every turn is taken', () => seen.begun === 1 + AT_ONCE)
  socket.destroy()
  await until('it is done with', () => seen.done === 1)
  stop()
})

test('whoever leaves the line begins nothing, and leaves nothing behind', async () => {
  const turns = new NetworkTurns({ turnMs: 60_000 })
  const left = Array.from({ length: 100 }, () => new Leaving())
  const order: string[] = []
  const [first] = [await turns.begin('a'), await turns.begin('a')]
  for (const one of left) void turns.begin('a', undefined, one).then(() => order.push('gone'))
  void turns.begin('a').then(() => order.push('living'))
  for (const one of left) one.leave()
  await settled()
  expect(order).toEqual(Array(100).fill('gone'))
  first()
  await settled()
  expect(order.at(-1)).toBe('living')
  await turns.begin('a', undefined, left[0])
  expect(turns.crowded).toBe(false)
})

test('a turn that is over waits for none, and one that was given up while it waited holds none', async () => {
  const turns = new RequestTurns({ turnMs: 60_000 })
  const [, end] = [await turns.begin({ network: 'a' }), await turns.begin({ network: 'a' })]
  const gone = turns.of({ network: 'a', bringsFiles: true })
  const waits = gone.begin()
  await settled()
  gone.over()
  await waits
  end()
  const files = turns.of({ network: 'a', bringsFiles: true })
  await files.begin()
})
