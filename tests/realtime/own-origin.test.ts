import { afterAll, beforeAll, expect, test } from 'vitest'
import { securityHeaders } from '../../server/http/security-headers.ts'
import { HalfOpen } from '../support/servers/half-open.ts'
import { startWorld, type World } from '../support/world.ts'
import { Peer } from './peer.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** A page of one name that asks under another. */
function connect(pageOf: string, host: string): Peer {
  const { port } = new URL(world.url)
  return new Peer(Number(port), { origin: `http://${pageOf}:${port}`, headers: { Host: `${host}:${port}` } })
}

test('our own pages may connect under both local names, each to its own', async () => {
  for (const name of ['localhost', '127.0.0.1']) {
    const peer = connect(name, name)
    await peer.opened
    peer.ws.terminate()
  }
  for (const [pageOf, host] of [
    ['localhost', '127.0.0.1'],
    ['127.0.0.1', 'localhost'],
    ['evil.example', 'localhost'],
    ['evil.example', 'evil.example'],
  ] as const)
    await expect(connect(pageOf, host).opened, `${pageOf} to ${host}`).rejects.toThrow('403')
})

test('a refused upgrade carries what every answer of the port does', async () => {
  const { port, host } = new URL(world.url)
  const ask = `GET /realtime HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`
  const socket = await HalfOpen.to(Number(port))
  socket.send(`${ask}Origin: http://evil.example\r\n\r\n`)
  const [status, ...lines] = (await socket.answer).split('\r\n')
  expect(status).toBe('HTTP/1.1 403 Forbidden')
  const always = { ...securityHeaders(), 'Cache-Control': 'no-store', Connection: 'close', 'Content-Length': '0' }
  for (const [name, value] of Object.entries(always)) expect(lines).toContain(`${name}: ${value}`)
})
