import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../../services/limits/network.ts'
import { Crowd, type Open } from './crowd.ts'

/** How many connections the port keeps open, of one network and of all. */
export type ConnectionCaps = { readonly perNetwork: number; readonly total: number }

export const CONNECTION_CAPS: ConnectionCaps = { perNetwork: 500, total: 5_000 }

/** How many connections count as one holder's: a few browsers with what each opens at once. */
export const VOUCHED_EACH = 20

/** Reports whose live session or proof came over a connection, by member id or the proof's holder: no stranger's. */
export type Vouch = (socket: Socket, holder: string) => void

/** `release`: the realtime node takes the socket. */
export type Caps = { readonly vouch: Vouch; readonly release: (socket: Socket) => void }

/**
 * Keeps the port within its caps. For a newcomer the oldest connection of a stranger goes, those that are being answered
 * last, of the same network where that has too many; while strangers have less than a quarter, one of whoever holds the
 * most. Behind a trusted proxy every connection is the proxy's, so the total counts alone. A socket that the
 * realtime node takes counts no more: it has caps of its own.
 */
export function capConnections(server: Server, caps: ConnectionCaps, trustProxy: boolean): Caps {
  const connections = new Connections(caps)
  server.on('connection', (socket: Socket) => {
    const network = trustProxy ? null : networkOf((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
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

type Placed = Open & { readonly network: string | null; readonly crowds: readonly Crowd[] }

class Connections {
  private readonly everyone: Crowd
  private readonly networks = new Map<string, Crowd>()
  private readonly open = new Map<Socket, Placed>()

  constructor(private readonly caps: ConnectionCaps) {
    this.everyone = new Crowd(caps.total)
  }

  /** `network`: null where it does not identify who asks. */
  enter(socket: Socket, network: string | null): void {
    const own = network === null ? undefined : this.networks.get(network)
    if (own) this.makeRoom(own)
    this.makeRoom(this.everyone)
    const crowds = network === null ? [this.everyone] : [this.crowdOf(network), this.everyone]
    const one = { network, crowds, holder: null, requests: 0 }
    this.open.set(socket, one)
    for (const crowd of crowds) crowd.enter(socket, one)
  }

  leave(socket: Socket): void {
    const one = this.open.get(socket)
    if (!one) return
    this.open.delete(socket)
    for (const crowd of one.crowds) crowd.leave(socket, one)
    if (one.network !== null && this.networks.get(one.network)?.size === 0) this.networks.delete(one.network)
  }

  asked(socket: Socket, requests: number): void {
    const one = this.open.get(socket)
    if (one) one.requests += requests
  }

  /** Beyond its share of connections, the one that a holder left unused for longest is a stranger's again. */
  vouch(socket: Socket, holder: string): void {
    this.hand(socket, holder)
    const own = this.everyone.of(holder)
    const [longestUnused] = own && own.size > VOUCHED_EACH ? own.keys() : []
    if (longestUnused) this.hand(longestUnused, null)
  }

  private hand(socket: Socket, holder: string | null): void {
    const one = this.open.get(socket)
    if (!one) return
    for (const crowd of one.crowds) crowd.leave(socket, one)
    one.holder = holder
    for (const crowd of one.crowds) crowd.enter(socket, one)
  }

  private makeRoom(crowd: Crowd): void {
    const socket = crowd.nextToGo()
    if (!socket) return
    this.leave(socket)
    socket.destroy()
  }

  private crowdOf(network: string): Crowd {
    const crowd = this.networks.get(network) ?? new Crowd(this.caps.perNetwork)
    this.networks.set(network, crowd)
    return crowd
  }
}
