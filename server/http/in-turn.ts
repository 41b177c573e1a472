import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { HEADER_LINES } from './entry/refusal.ts'

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Requests of one connection that may wait for the answers before them. No browser sends one before it has its answer. */
const WAITING = 16
/** What their heads and bodies may be together, in bytes as `sizeOf` has it: nobody counts these until they begin. */
const WAITING_BYTES = 8 * 1024
/** A number, so that what was added can be taken away again. */
const ENDLESS = WAITING_BYTES + 1
/** Each line of a head is two texts and their places, whatever it brings. */
const LINE_BYTES = 64

/** What a request that has not begun takes, head and body; a body without a length has no end, and of a head with too many lines not all are read. */
function sizeOf({ url = '', headers, rawHeaders }: IncomingMessage): number {
  const lines = rawHeaders.length / 2
  if (lines > HEADER_LINES || headers['transfer-encoding']) return ENDLESS
  const head = rawHeaders.reduce((sum, text) => sum + text.length, url.length) + LINE_BYTES * (lines + 1)
  return head + Number(headers['content-length'] ?? 0)
}

/** An answer, how long its body is, where that was announced, and how much of it was written. */
type Answer = { readonly outgoing: ServerResponse; length: number; written: number }

function counted(outgoing: ServerResponse): Answer {
  const answer = { outgoing, length: Number.POSITIVE_INFINITY, written: 0 }
  const [writeHead, write] = [outgoing.writeHead.bind(outgoing), outgoing.write.bind(outgoing)] as [Passed, Passed]
  outgoing.writeHead = (...given: unknown[]) => {
    const length = (given.at(-1) as { 'content-length'?: string } | undefined)?.['content-length']
    if (length !== undefined) answer.length = Number(length)
    return writeHead(...given)
  }
  outgoing.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
    answer.written += Buffer.byteLength(chunk)
    return write(chunk, ...more)
  }
  return answer
}
// biome-ignore lint/suspicious/noExplicitAny: what the platform's own takes and answers.
type Passed = (...given: unknown[]) => any

/**
 * Whether the client may have all of an answer: then what comes is its next request, in order, though the answer is closed only
 * once its file is, or its stream, behind whatever else the thread does.
 */
function mayBeRead({ outgoing, length, written }: Answer): boolean {
  const { socket } = outgoing
  if (!socket || socket.writableLength > 0) return false
  return outgoing.writableEnded || written >= length
}

/**
 * Begins the requests of each connection one after the other, each once the answer before it is closed: the parser hands
 * over all that one read brought, an answer that nobody reads stays in memory, and one that has not got the connection yet
 * never hears that it is closed. Whoever parses stops at the one that `isTooMany`.
 */
export class Turns {
  private readonly lines = new WeakMap<Socket, { last: Answer; waiting: number; bytes: number }>()

  inTurn(begin: Listener): Listener {
    return (incoming, outgoing) => {
      const { socket } = incoming
      const last = counted(outgoing)
      const line = this.lines.get(socket) ?? { last, waiting: 0, bytes: 0 }
      const before = line.last.outgoing
      line.last = last
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
    if (!line || line.last.outgoing.closed || mayBeRead(line.last)) return false
    return line.waiting >= WAITING || line.bytes + sizeOf(incoming) > WAITING_BYTES
  }

  /** Whether a request of this connection has no whole answer yet. */
  isAnswering(socket: Socket): boolean {
    return this.lines.get(socket)?.last.outgoing.closed === false
  }
}
