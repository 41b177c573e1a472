import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Requests of one connection that may wait for the answers before them. No browser sends one before it has its answer. */
const WAITING = 16
/** What their heads and bodies may be together, in bytes as `sizeOf` has it: nobody counts these until they begin. */
const WAITING_BYTES = 8 * 1024
/** Each line of a head is two texts and their places, whatever it brings. */
const LINE_BYTES = 64

/** What a request that has not begun takes, head and body; a body without a length has no end. */
function sizeOf({ url = '', headers, rawHeaders }: IncomingMessage): number {
  const head =
    rawHeaders.reduce((sum, text) => sum + text.length, url.length) + LINE_BYTES * (rawHeaders.length / 2 + 1)
  const body = headers['transfer-encoding'] ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0)
  return head + body
}

/**
 * Begins the requests of each connection one after the other, each once the answer before it is closed: the parser hands
 * over all that one read brought, an answer that nobody reads stays in memory, and one that has not got the connection yet
 * never hears that it is closed. Whoever parses stops at the one that `isTooMany`.
 */
export class Turns {
  private readonly lines = new WeakMap<Socket, { last: ServerResponse; waiting: number; bytes: number }>()

  inTurn(begin: Listener): Listener {
    return (incoming, outgoing) => {
      const { socket } = incoming
      const line = this.lines.get(socket) ?? { last: outgoing, waiting: 0, bytes: 0 }
      const before = line.last
      line.last = outgoing
      this.lines.set(socket, line)
      // Node gives an answer the connection once the one before it has ended.
      if (outgoing.socket) return begin(incoming, outgoing)
      const bytes = sizeOf(incoming)
      line.waiting += 1
      line.bytes += bytes
      before.once('close', () => {
        line.waiting -= 1
        line.bytes -= bytes
        // It never gets a connection that closes after the answer before it.
        if (outgoing.socket) begin(incoming, outgoing)
      })
    }
  }

  /** Whether a request whose head has come would be one too many to wait for the answers before it. */
  isTooMany(incoming: IncomingMessage): boolean {
    const line = this.lines.get(incoming.socket)
    if (!line || line.last.closed) return false
    return line.waiting >= WAITING || line.bytes + sizeOf(incoming) > WAITING_BYTES
  }

  /** Whether a request of this connection has no whole answer yet. */
  isAnswering(socket: Socket): boolean {
    return this.lines.get(socket)?.last.closed === false
  }
}
