import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import type { StopTimes } from '../../../server/http/drain.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { until } from '../../support/until.ts'

/** Nothing is cut within the time of a test: what ends is let go. */
const NEVER_CUT: StopTimes = { drainMs: 600_000, takesMs: 600_000 }
/** The same to whoever has asked for nothing yet. */
const PATIENT: StopTimes = { ...NEVER_CUT, asksWithinMs: 600_000 }

/** A connection whose answers are kept as they come. */
async function connected(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  const heard = { text: '', ended: false, error: null as Error | null }
  socket.on('data', (part) => {
    heard.text += part.toString('latin1')
  })
  socket.on('error', (error) => {
    heard.error = error
  })
  socket.on('close', () => {
    heard.ended = true
  })
  await once(socket, 'connect')
  const send = (text: string) => void socket.write(text)
  const get = (path: string) => send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return { heard, get, send }
}

/** A server whose answers wait until they are let go, before their head or within their body. */
async function startSlow(stopTimes: StopTimes = {}) {
  const waiting: (() => void)[] = []
  const goOn = () => new Promise<void>((resolve) => waiting.push(resolve))
  const server = await startEcho({
    stopTimes,
    raw: [
      async (request) => {
        const { pathname } = new URL(request.url)
        if (pathname === '/quick') return new Response('quick')
        if (pathname === '/head') {
          await goOn()
          return new Response('head')
        }
        const encode = (text: string) => new TextEncoder().encode(text)
        const body = new ReadableStream({
          async start(controller) {
            controller.enqueue(encode('first'))
            await goOn()
            controller.enqueue(encode('last'))
            controller.close()
          },
        })
        return new Response(body)
      },
    ],
  })
  return { server, waiting }
}

test('whoever waits for an answer while the server stops gets it, learns that it is the last, and is let go at once', async () => {
  const { server, waiting } = await startSlow(PATIENT)
  const [head, body, idle] = await Promise.all([1, 2, 3].map(() => connected(server.port)))
  head!.get('/head')
  body!.get('/body')
  idle!.get('/quick')
  await until('two wait, and one was answered', () => waiting.length === 2 && idle!.heard.text.includes('quick'))
  await until('the first part is there', () => body!.heard.text.includes('first'))
  const closed = server.close()
  for (const letGo of waiting) letGo()
  await closed
  await until('all are let go', () => [head, body, idle].every((one) => one!.heard.ended))
  expect(head!.heard.text).toMatch(/connection: close[\s\S]*head/i)
  expect(body!.heard.text).toContain('last')
  expect(idle!.heard.text).toMatch(/keep-alive/i)
  expect([head, body, idle].map((one) => one!.heard.error)).toEqual([null, null, null])
})

test('a client that asks for more while the server stops is let go with the answer before', async () => {
  const { server, waiting } = await startSlow(PATIENT)
  const [busy, other] = await Promise.all([connected(server.port), connected(server.port)])
  busy.get('/head')
  other.get('/head')
  await until('both wait', () => waiting.length === 2)
  const closed = server.close()
  // It asks for the next before it has its answer.
  busy.get('/quick')
  for (const letGo of waiting) letGo()
  await closed
  await until('it is let go', () => busy.heard.ended)
  expect(busy.heard.text.match(/HTTP\/1.1 200/g)).toHaveLength(1)
  expect(busy.heard.text).toMatch(/connection: close/i)
})

test('a connection that nothing was asked over is let go while another waits for its answer', async () => {
  const { server, waiting } = await startSlow(NEVER_CUT)
  const [busy, silent] = await Promise.all([connected(server.port), connected(server.port)])
  busy.get('/head')
  await until('one waits', () => waiting.length === 1)
  const closed = server.close()
  await until('the silent one is let go', () => silent.heard.ended)
  expect(busy.heard.ended).toBe(false)
  for (const letGo of waiting) letGo()
  await closed
  await until('the other is let go', () => busy.heard.ended)
  expect(busy.heard.text).toMatch(/connection: close[\s\S]*head/i)
})

test('a socket that was taken over is left to who has it, while one that nothing was asked over is cut', async () => {
  const taken: Duplex[] = []
  const take = (_: IncomingMessage, socket: Duplex) => {
    taken.push(socket)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  }
  const server = await startEcho({ stopTimes: NEVER_CUT, upgrades: { '/realtime': take } })
  const live = await connected(server.port)
  live.send('GET /realtime HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await until('it is taken over', () => live.heard.text.includes('101'))
  // It is the later one: whoever cuts both has cut the other before.
  const silent = await connected(server.port)
  const closed = server.close()
  await until('the silent one is cut', () => silent.heard.ended)
  expect(taken.map(({ destroyed }) => destroyed)).toEqual([false])
  taken[0]!.end()
  await closed
  await until('it is ended', () => live.heard.ended)
})

test('connections that wait to be taken while the server stops get their answers', async () => {
  const { server } = await startSlow(PATIENT)
  // All of them are open at once, of which the server takes one in each round of the event loop.
  const crowd = await Promise.all(Array.from({ length: 60 }, () => connected(server.port)))
  for (const one of crowd) one.get('/quick')
  await server.close()
  await until('all are let go', () => crowd.every((one) => one.heard.ended))
  expect(crowd.map(({ heard }) => heard.error)).toEqual(crowd.map(() => null))
  for (const { heard } of crowd) expect(heard.text).toContain('quick')
})

test('an answer that does not come is cut in the end, and the server stops', async () => {
  const { server, waiting } = await startSlow()
  const busy = await connected(server.port)
  busy.get('/head')
  await until('it waits', () => waiting.length === 1)
  const closed = server.close().then(() => true)
  await until('it is cut', () => busy.heard.ended)
  expect(await closed).toBe(true)
  expect(busy.heard.text).toBe('')
  waiting[0]!()
})
