import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startWorld, type World } from '../support/world.ts'
import { Peer } from './peer.ts'

/** A whole product without pages, and sockets of its members. */
export type Served = {
  readonly world: World
  /** Not signed in yet. */
  connect(): Promise<Peer>
  /** Signed in by that session. */
  socketOf(token: string): Promise<Peer>
  stop(): Promise<void>
}

export async function startServed(): Promise<Served> {
  const world = await startWorld({ web: false })
  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (incoming, socket, head) => world.product.live?.handleUpgrade(incoming, socket, head))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const peers: Peer[] = []
  const connect = async () => {
    const peer = new Peer((server.address() as AddressInfo).port, { origin: world.publicUrl })
    peers.push(peer)
    await peer.opened
    return peer
  }
  return {
    world,
    connect,
    async socketOf(token) {
      const peer = await connect()
      peer.send({ type: 'auth', token })
      await peer.next('ready')
      return peer
    },
    async stop() {
      for (const peer of peers) peer.ws.terminate()
      server.close()
      await world.stop()
    },
  }
}
