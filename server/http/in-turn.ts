import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Requests of one connection that may wait for the answers before them. No browser sends one before it has its answer. */
const WAITING = 16

/**
 * Begins the requests of each connection one after the other, each once the answer before it is closed: the parser hands
 * over all that one read brought, an answer that nobody reads stays in memory, and one that has not got the connection yet
 * never hears that it is closed. Whoever parses stops where it `isFull`.
 */
export class Turns {
  private readonly lines = new WeakMap<Socket, { last: ServerResponse; waiting: number }>()

  inTurn(begin: Listener): Listener {
    return (incoming, outgoing) => {
      const { socket } = incoming
      const line = this.lines.get(socket) ?? { last: outgoing, waiting: 0 }
      const before = line.last
      line.last = outgoing
      this.lines.set(socket, line)
      // Node gives an answer the connection once the one before it has ended.
      if (outgoing.socket) return begin(incoming, outgoing)
      line.waiting += 1
      before.once('close', () => {
        line.waiting -= 1
        // It never gets a connection that closes after the answer before it.
        if (outgoing.socket) begin(incoming, outgoing)
      })
    }
  }

  /** Whether as many requests of this connection wait as may. */
  isFull(socket: Socket): boolean {
    return (this.lines.get(socket)?.waiting ?? 0) >= WAITING
  }

  /** Whether a request of this connection has no whole answer yet. */
  isAnswering(socket: Socket): boolean {
    return this.lines.get(socket)?.last.closed === false
  }
}
