import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { RawHandler, RequestLine } from '../../../../server/http/handler.ts'
import { startEcho } from '../../../support/servers/echo-server.ts'
import { LEAVE } from '../../../support/servers/leaving.ts'
import { openable } from '../../../support/servers/openable.ts'
import { until } from '../../../support/until.ts'

const BEARER = 'Bearer a-token-of-ann'
const AT_ONCE = 2
const OF_MEMBER = 4
/** In line without their senders. */
const MOST_LEFT = 24
const WAYS = ['closes', 'breaks off'] as const
/** What the system has not sent yet is lost where a connection breaks off: the large one is sent in full only where it closes. */
const BODIES = { closes: ['', 'hello', 'x'.repeat(200_000)], 'breaks off': ['', 'hello'] } as const
const sentBy = (way: keyof typeof BODIES) =>
  ['PUT', 'POST', 'PATCH', 'DELETE'].flatMap((method) => BODIES[way].map((body) => ({ method, body })))

const rounds = async () => {
  for (let round = 0; round < 200; round++) await new Promise(setImmediate)
}

type Sent = { method?: string; path?: string; body?: string; length?: number; as?: string }

/** A port that notes what was begun, what was done and what was logged. */
async function startPort() {
  const gate = openable()
  const seen = { begun: 0, done: [] as string[], lines: [] as RequestLine[], errors: [] as unknown[] }
  const work: RawHandler = async (request, { vouch, left }) => {
    if (request.headers.has('Authorization')) vouch?.('ann', BEARER.slice('Bearer '.length))
    const { pathname } = new URL(request.url)
    seen.begun += 1
    if (pathname === '/api/gate') await gate.opened
    if (pathname === '/api/left' && !left?.aborted) await once(left!, 'abort')
    const brought = await request.text()
    request.signal.throwIfAborted()
    if (pathname !== '/api/gate') seen.done.push(`${request.method} ${brought}`)
    return new Response('done', { status: 201 })
  }
  const server = await startEcho({
    raw: [work],
    turnMs: 60_000,
    onRequest: (line) => void seen.lines.push(line),
    onError: (error) => void seen.errors.push(error),
  })
  const send = async ({ method = 'POST', path = 'form', body = '', length = body.length, as }: Sent) => {
    const socket = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    const head = [
      `${method} /api/${path} HTTP/1.1`,
      'Host: localhost',
      `Content-Length: ${length}`,
      ...(as ? [`Authorization: ${as}`] : []),
    ]
    await new Promise((sent) => socket.resume().write(`${head.join('\r\n')}\r\n\r\n${body}`, sent))
    return socket
  }
  onTestFinished(async () => {
    gate.open()
    await server.close()
  })
  return { seen, send, gate }
}

test.each(
  WAYS.flatMap((way) => [
    { way, as: '' },
    { way, as: BEARER },
  ]),
)('what was sent whole is done, although its sender $way at once: $as', async ({ way, as }) => {
  const { seen, send } = await startPort()
  const sent = sentBy(way)
  for (const { method, body } of sent) {
    const before = seen.done.length
    LEAVE[way](await send({ method, body, as }))
    await until(`${method} of ${body.length} is done`, () => seen.done.length > before)
  }
  expect(seen.done).toEqual(sent.map(({ method, body }) => `${method} ${body}`))
  await until('all are logged', () => seen.lines.length === sent.length)
  expect(seen.lines.map(({ status }) => status)).toEqual(sent.map(() => 201))
  expect(seen.errors).toEqual([])
})

test.each(
  WAYS.flatMap((way) => [
    { way, body: '' },
    { way, body: 'hello' },
  ]),
)('what came whole is done where its sender $way before its body is read: "$body"', async ({ way, body }) => {
  const { seen, send } = await startPort()
  const socket = await send({ path: 'left', body })
  await until('it has begun', () => seen.begun === 1)
  LEAVE[way](socket)
  await until('it is done', () => seen.done.length === 1)
  expect(seen).toMatchObject({ done: [`POST ${body}`], errors: [] })
})

test.each(WAYS)('what did not come whole is dropped where its sender %s, with no error', async (way) => {
  const { seen, send } = await startPort()
  const inLine = await send({ body: 'hell', length: 5 })
  LEAVE[way](inLine)
  const begun = await send({ path: 'left', body: 'hell', length: 5 })
  await until('it has begun', () => seen.begun > 0)
  LEAVE[way](begun)
  await until('a page is answered', async () => LEAVE.closes(await send({ body: 'next' })) && seen.done.length > 0)
  expect([...new Set(seen.done)]).toEqual(['POST next'])
  expect(seen.errors).toEqual([])
})

test.each(WAYS)('what was sent whole is done in its turn, of as many as may wait, where its sender %s', async (way) => {
  const { seen, send, gate } = await startPort()
  for (let n = 0; n < AT_ONCE; n++) await send({ path: 'gate' })
  await until('every turn is taken', () => seen.begun === AT_ONCE)
  const sockets = await Promise.all(Array.from({ length: 40 }, (_, n) => send({ body: `form ${n}` })))
  await send({ path: 'left', body: 'x', length: 2 })
  // Who it was that broke off a connection which is not taken yet nobody knows.
  await rounds()
  for (const socket of sockets) LEAVE[way](socket)
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
  await rounds()
  expect(seen.done).toEqual([])
  gate.open()
  await until('as many as may are done', () => seen.done.length === MOST_LEFT)
  LEAVE[way](await send({ body: 'last' }))
  await until('the next one, too', () => seen.done.includes('POST last'))
  expect(seen.done).toHaveLength(MOST_LEFT + 1)
})

test.each(WAYS)('what is begun and comes whole in line waits without its sender as others do: %s', async (way) => {
  const { seen, send, gate } = await startPort()
  const as = BEARER
  await send({ as })
  await until('the member is known', () => seen.lines.length === 1)
  // As a member: strangers of one network have room for fewer bodies that are not whole.
  const sockets = await Promise.all(Array.from({ length: 40 }, () => send({ body: 'hell', length: 5, as })))
  await until('all are read', () => seen.begun === 1 + sockets.length)
  for (let n = 0; n < OF_MEMBER; n++) await send({ path: 'gate', as })
  await until('every turn is taken', () => seen.begun === 1 + sockets.length + OF_MEMBER)
  await Promise.all(sockets.map((socket) => new Promise((sent) => socket.write('o', sent))))
  await rounds()
  for (const socket of sockets) LEAVE[way](socket)
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
  await until('the others are done with', () => seen.lines.length === 1 + sockets.length - MOST_LEFT)
  expect(seen.done).toEqual(['POST '])
  gate.open()
  await until('as many as may are done', () => seen.done.length === 1 + MOST_LEFT)
  await until('all are logged', () => seen.lines.length === 1 + sockets.length + OF_MEMBER)
  expect(seen.done).toEqual(['POST ', ...Array(MOST_LEFT).fill('POST hello')])
})
