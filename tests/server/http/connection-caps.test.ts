import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionCaps } from '../../../server/http/connection-caps.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { startWeb } from '../../../server/web.ts'
import { createLogger } from '../../../services/log.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { HalfOpen } from '../../support/servers/half-open.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
const servers: HttpServer[] = []
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()))
  await world.stop()
})

async function serve(caps: ConnectionCaps, trustProxy = false): Promise<number> {
  const { product, publicUrl } = world
  const config = { ...world.config, trustProxy }
  const logger = createLogger({ level: 'silent' })
  const server = await startWeb({ product, config, port: 0, publicUrl, now: () => new Date(), logger, caps })
  servers.push(server)
  return server.port
}

const strangers = async (port: number, count: number) => {
  const made: HalfOpen[] = []
  for (let n = 0; n < count; n++) made.push(await HalfOpen.to(port))
  return made
}

/** A connection that stays open between requests, and whether one of them found it as it was. */
function keptConnection(port: number, token?: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = token ? { Authorization: `Bearer ${token}` } : {}
  return () =>
    new Promise<{ status: number; reused: boolean }>((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path: '/api/users/me', headers, agent }, (answer) => {
        answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, reused: asked.reusedSocket }))
      })
      asked.on('error', reject).end()
    })
}

test.each([
  ['one network', { perNetwork: 5, total: 1_000 }, false],
  ['all', { perNetwork: 1_000, total: 5 }, false],
  ['all, behind a proxy', { perNetwork: 1, total: 5 }, true],
])('of too many connections of %s the oldest stranger goes; a member stays', async (_of, caps, trustProxy) => {
  const port = await serve(caps, trustProxy)
  const ann = await world.member('Ann')
  const ask = keptConnection(port, ann.token)
  expect(await ask()).toEqual({ status: 200, reused: false })
  const opened = await strangers(port, 8)
  await Promise.all(opened.slice(0, 4).map((one) => one.isGone()))
  expect(await ask()).toEqual({ status: 200, reused: true })
  opened.at(-1)?.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  expect(await opened.at(-1)?.answer).toMatch(/^HTTP\/1.1 200 /)
  for (const one of opened) one.close()
})

test('a connection that asked without a session is a stranger', async () => {
  const port = await serve({ perNetwork: 5, total: 1_000 })
  const ask = keptConnection(port)
  expect(await ask()).toEqual({ status: 401, reused: false })
  const opened = await strangers(port, 5)
  const again = await ask().catch(() => null)
  expect(again?.reused ?? false).toBe(false)
  for (const one of opened) one.close()
})

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
