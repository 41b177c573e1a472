import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../services/limits/network.ts'

/** How many connections the port keeps open, of one network and of all. */
export type ConnectionCaps = { readonly perNetwork: number; readonly total: number }

export const CONNECTION_CAPS: ConnectionCaps = { perNetwork: 500, total: 5_000 }

/** Says that a live session or proof came over a connection: it is no stranger's. */
export type Vouch = (socket: Socket) => void

type Open = { readonly network: string; readonly strangers: Set<Socket> }

/**
 * Keeps the port within its caps: the oldest connection of a stranger goes first, of the same network where that has too
 * many; where all others have shown a session, the new one goes. Behind a trusted proxy every connection is the proxy's,
 * so the total counts alone. A socket that was upgraded counts no more: the realtime node has caps of its own.
 */
export function capConnections(server: Server, caps: ConnectionCaps, trustProxy: boolean): Vouch {
  const open = new Map<Socket, Open>()
  const counts = new Map<string, number>()
  const strangers = new Map<string, Set<Socket>>()
  const everyStranger = new Set<Socket>()

  const forget = (socket: Socket) => {
    const one = open.get(socket)
    if (!one) return
    open.delete(socket)
    everyStranger.delete(socket)
    one.strangers.delete(socket)
    const left = (counts.get(one.network) ?? 1) - 1
    if (left > 0) counts.set(one.network, left)
    else {
      counts.delete(one.network)
      strangers.delete(one.network)
    }
  }
  const drop = (socket: Socket | undefined) => {
    if (!socket) return
    forget(socket)
    socket.destroy()
  }
  const first = (sockets: Iterable<Socket>): Socket | undefined => sockets[Symbol.iterator]().next().value

  server.on('connection', (socket: Socket) => {
    const network = trustProxy ? '' : networkOf((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
    const own = strangers.get(network) ?? new Set()
    strangers.set(network, own.add(socket))
    everyStranger.add(socket)
    open.set(socket, { network, strangers: own })
    counts.set(network, (counts.get(network) ?? 0) + 1)
    socket.once('close', () => forget(socket))
    if (!trustProxy && (counts.get(network) ?? 0) > caps.perNetwork) drop(first(own))
    if (open.size > caps.total) drop(first(everyStranger))
  })
  server.on('upgrade', (incoming) => forget(incoming.socket))
  return (socket) => {
    open.get(socket)?.strangers.delete(socket)
    everyStranger.delete(socket)
  }
}
