import { afterAll, beforeAll, expect, test } from 'vitest'
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
