import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { refuseUpgrade } from '../../../realtime/upgrade.ts'
import type { RawHandler } from '../../../server/http/handler.ts'
import type { HttpServer, UpgradeHandler } from '../../../server/http/http-server.ts'
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
    upgradeOf('/nowhere'),
    'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere\r\n\r\n',
    'no HTTP at all\r\n\r\n',
  ]) {
    const socket = await HalfOpen.to(server.port)
    socket.send(text)
    expect(await socket.answer).toMatch(/^HTTP\/1.1 40[045] /)
    await socket.isGone()
  }
})

const upgradeOf = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`

/** Asks for a large answer, and does not read it. */
async function unread(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return socket
}

const refusing: UpgradeHandler = (_incoming, socket) => refuseUpgrade(socket, 403)

test.each(['/nowhere', '/realtime'])(
  'a refused socket of %s is closed though nobody reads, and ends nothing by a reset',
  async (path) => {
    let asked = 0
    const large: RawHandler = async (request) => {
      if (new URL(request.url).pathname !== '/page') return null
      asked++
      return new Response(Buffer.alloc(16 * 1024 * 1024))
    }
    const upgrades = { '/realtime': refusing }
    const server = await startEcho({ raw: [large], caps: { perNetwork: 5, total: 1_000 }, upgrades })
    servers.push(server)
    const open = new Set<Socket>()
    for (let n = 0; n < 8; n++) {
      const socket = await unread(server.port)
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      await until('it has asked', () => asked > n)
      socket.write(upgradeOf(path))
    }
    for (const socket of open) socket.resetAndDestroy()
    const ask = keptConnection(server.port, { path: '/other' })
    expect((await ask()).status).toBe(200)
  },
)

test('a socket counts until somebody attends to it', async () => {
  const taken: { socket: Duplex; attended: () => void }[] = []
  const take: UpgradeHandler = (_incoming, socket, _head, { attended }) => void taken.push({ socket, attended })
  const caps = { perNetwork: 5, total: 1_000 }
  const server = await startEcho({ caps, upgrades: { '/realtime': take } })
  servers.push(server)
  const ask = async () => {
    const begun = taken.length
    const one = await HalfOpen.to(server.port)
    one.send(upgradeOf('/realtime'))
    await until('it is taken', () => taken.length > begun)
  }
  const open = () => taken.filter(({ socket }) => !socket.destroyed).length
  for (let n = 0; n < 8; n++) await ask()
  expect(open()).toBe(5)
  for (const { attended } of taken) attended()
  for (let n = 0; n < 5; n++) await ask()
  expect(open()).toBe(10)
  for (const { socket } of taken) socket.destroy()
})
