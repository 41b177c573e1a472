import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../services/limits/network.ts'
import { type ConnectionCaps, Connections } from './connections.ts'

export const CONNECTION_CAPS: ConnectionCaps = { perNetwork: 500, total: 5_000 }

/** Reports whose live session or proof came over a connection, by member id or the proof's holder: no stranger's. */
export type Vouch = (socket: Socket, holder: string) => void

/** `release`: the realtime node takes the socket. */
export type Caps = { readonly vouch: Vouch; readonly release: (socket: Socket) => void }

/** What counts the connections of the port, for this process or for all that serve the port together. */
export type ConnectionCount = Pick<Connections<Socket>, 'enter' | 'leave' | 'asked' | 'vouch'>
/** `drop` closes the one that goes for a newcomer. */
export type CountConnections = (drop: (socket: Socket) => void) => ConnectionCount

export const countAlone =
  (caps: ConnectionCaps = CONNECTION_CAPS): CountConnections =>
  (drop) =>
    new Connections(caps, drop)

/**
 * Keeps the port within its caps. For a newcomer the oldest connection of a stranger goes, those that are being answered
 * last, of the same network where that has too many; while strangers have less than a quarter, one of whoever holds the
 * most. Behind a trusted proxy every connection is the proxy's, so the total counts alone. A socket that the
 * realtime node takes counts no more: it has caps of its own.
 */
export function capConnections(server: Server, count: CountConnections, trustProxy: boolean): Caps {
  const connections = count((socket) => socket.destroy())
  server.on('connection', (socket: Socket) => {
    const network = trustProxy ? null : networkOf(socket.remoteAddress ?? '')
    connections.enter(socket, network)
    socket.once('close', () => connections.leave(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
    connections.asked(socket, 1)
    answer.once('close', () => connections.asked(socket, -1))
  })
  return {
    vouch: (socket, holder) => connections.vouch(socket, holder),
    release: (socket) => connections.leave(socket),
  }
}
