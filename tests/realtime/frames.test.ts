import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloseCode } from '../../realtime/protocol.ts'
import { member, startWorld, type TestNode, type World } from './world.ts'

let world: World
let node: TestNode
beforeAll(async () => {
  world = await startWorld()
  node = await world.node()
})
afterAll(() => world.stop())

test('the third bad frame within a minute ends the socket', async () => {
  const peer = await world.peer(node, member('Bad'))
  peer.send('not json')
  expect(await peer.next('error')).toEqual({ type: 'error', for: null, error: 'Invalid request.', code: 'invalid' })
  peer.send({ type: 'joinRoom', id: 'q1', data: { roomId: 'x', extra: true } })
  expect((await peer.next('error')).for).toBe('q1')
  peer.send({ type: 'nothing-known' })
  expect(await peer.closed).toBe(CloseCode.badFrame)
})

test('frames of the wrong shape are all bad', async () => {
  const frames = [
    '[]',
    'null',
    '{}',
    { type: 'auth', token: 'again' },
    { type: 'resume', last: 'x', epoch: 'e' },
    { type: 'register', data: { userId: 1 } },
    { type: 'direct:message', data: { to: 'Bob', id: 'x', roomId: 'r', text: 'hi' } },
    { type: 'typing', data: { roomId: 'r', on: 'yes' } },
    { type: '__proto__', data: {} },
    { type: 'heartbeat', pos: 'far' },
  ]
  for (const frame of frames) {
    const peer = await world.peer(node, member('Shape'))
    peer.send(frame)
    expect((await peer.next('error')).code, JSON.stringify(frame)).toBe('invalid')
    peer.ws.terminate()
  }
})

test('a binary frame is a bad frame', async () => {
  const peer = await world.peer(node, member('Binary'))
  peer.ws.send(Buffer.from('{"type":"heartbeat"}'))
  expect((await peer.next('error')).code).toBe('invalid')
})

test('a frame above the size limit ends the socket without an answer', async () => {
  const peer = await world.peer(node, member('Large'))
  peer.send({ type: 'joinRoom', data: { roomId: 'x'.repeat(66_000) } })
  expect(await peer.closed).toBe(1009)
})

const unsupported = (bytes: number) => ({ type: 'meet:request', data: 'x'.repeat(bytes) })

test('who is not signed in sends 16 KiB at most', async () => {
  const peer = await world.socket(node)
  peer.send({ type: 'auth', token: 'x'.repeat(17_000) })
  expect(await peer.closed).toBe(1009)
  const short = await world.peer(node, member('Short'))
  short.send(unsupported(17_000))
  expect((await short.next('error')).code).toBe('unsupported')
})

test('a long frame counts as the short ones that it has room for', async () => {
  const peer = await world.peer(node, member('Long'))
  for (let n = 0; n < 14; n++) peer.send(unsupported(60_000))
  for (let n = 0; n < 14; n++) await peer.next('error')
  for (let n = 0; n < 30; n++) peer.send(unsupported(60_000))
  expect(await peer.closed).toBe(CloseCode.flood)
})

test.each([1_000, 3_000, 30_000])(
  'a flood of %i frames ends the socket with the reason, and no other',
  async (many) => {
    const [flooder, other] = await Promise.all([world.peer(node, member('Flood')), world.peer(node, member('Calm'))])
    for (let n = 0; n < many; n++) flooder.send({ type: 'heartbeat' })
    expect(await flooder.closed).toBe(CloseCode.flood)
    await other.settled()
  },
)

test.each(['ping', 'pong'] as const)('a flood of %s ends the socket as any other does', async (kind) => {
  const flooder = await world.peer(node, member(`Flood of ${kind}`))
  for (let n = 0; n < 3_000; n++) flooder.ws[kind]()
  expect(await flooder.closed).toBe(CloseCode.flood)
})

/** A socket of bytes, whose upgrade is answered. */
async function bare() {
  const socket = connect(node.port, '127.0.0.1').setNoDelay()
  socket.on('error', () => undefined)
  const head = [
    'GET /realtime HTTP/1.1',
    `Host: localhost:${node.port}`,
    `Origin: ${node.origin}`,
    'Connection: Upgrade',
  ]
  const asked = [...head, 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`]
  socket.write(`${asked.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  return socket
}

test('a frame in very many pieces is cut off: each piece takes far more memory than it brings', async () => {
  const socket = await bare()
  const ended = once(socket.resume(), 'close').then(() => true)
  socket.write(Buffer.from([0x81, 0xfe, 0x20, 0, 1, 2, 3, 4]))
  let pieces = 0
  const next = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))
  while (!socket.destroyed && pieces++ < 8_000 && !(await Promise.race([ended, next()]))) socket.write('x')
  expect(pieces).toBeLessThan(2_000)
})

test('who sends on after the end of their socket is cut off at once', async () => {
  const deaf = await bare()
  const ping = Buffer.from([0x89, 0x80, 1, 2, 3, 4])
  const cut = once(deaf, 'close')
  const startedAt = performance.now()
  deaf.resume()
  deaf.write(Buffer.concat(Array<Buffer>(5_000).fill(ping)))
  await cut
  expect(performance.now() - startedAt).toBeLessThan(1_500)
})

test('events of later releases are answered as not supported', async () => {
  const peer = await world.peer(node, member('Later'))
  for (const type of ['meet:request', 'call:offer', 'buzz_rejected', 'post:open', 'post:close']) {
    peer.send({ type, id: type, data: { anything: 1 } })
    expect(await peer.next('error')).toMatchObject({ for: type, code: 'unsupported' })
  }
})

test('an eleventh socket of a member closes their first', async () => {
  const who = member('Many')
  const peers = []
  for (let n = 0; n < 11; n++) peers.push(await world.peer(node, who))
  expect(await peers[0]!.closed).toBe(CloseCode.tooManySockets)
  await Promise.all(peers.slice(1).map((peer) => peer.settled()))
})
