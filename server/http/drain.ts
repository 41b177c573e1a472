import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Listener } from './in-turn.ts'

/** Whoever has connected asks within it, or has nothing to ask. */
const ASKS_WITHIN_MS = 500
/** An answer that is not read by then is cut, with all else that is open: the parts behind the port have to stop as well. */
const DRAIN_MS = 2_500

/** What a stop waits for at most, where it is not what it is by default. */
export type StopTimes = {
  /** That who has connected asks for something. */
  readonly asksWithinMs?: number
  /** That answers are read. */
  readonly drainMs?: number
  /** That connections which have come are taken. */
  readonly takesMs?: number
}

/**
 * Ends the connections of a server that stops: each gets the answer that is under way, or the next that it asks for, with
 * `Connection: close`. Without it clients go on asking over connections that are cut in the end, and never learn what came of it.
 */
export class Drain {
  /** Of each open connection. An answer that never got its connection does not hear that this closes. */
  private readonly answering = new Map<Socket, Set<ServerResponse>>()
  private readonly open = new Set<Socket>()
  /** Connections that no request has come over. */
  private readonly unasked = new Set<Socket>()
  private draining = false
  private closeIdle = () => {}

  constructor(private readonly times: StopTimes = {}) {}

  /** Its connections; before it takes any. */
  watch(server: Server): void {
    this.closeIdle = () => server.closeIdleConnections()
    server.on('connection', (socket: Socket) => {
      this.open.add(socket)
      this.unasked.add(socket)
      socket.once('close', () => {
        this.open.delete(socket)
        this.answering.delete(socket)
        this.unasked.delete(socket)
      })
    })
    // Whoever takes it over sends it away.
    server.on('upgrade', ({ socket }: IncomingMessage) => this.unasked.delete(socket))
  }

  counting(begin: Listener): Listener {
    return (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const { socket } = incoming
      this.unasked.delete(socket)
      if (this.open.has(socket)) this.count(socket, outgoing)
      if (this.draining) this.makeLast(outgoing)
      begin(incoming, outgoing)
    }
  }

  private count(socket: Socket, outgoing: ServerResponse): void {
    const own = this.answering.get(socket) ?? new Set()
    this.answering.set(socket, own.add(outgoing))
    outgoing.once('close', () => own.delete(outgoing))
  }

  /** Answers that are under way or wait for those before them. */
  get underWay(): number {
    return [...this.answering.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Sends all away; what is left after its time is cut. Call the answer once none is open. */
  begin(): () => void {
    this.draining = true
    for (const own of this.answering.values()) for (const outgoing of own) this.makeLast(outgoing)
    this.closeIdle()
    const { asksWithinMs = ASKS_WITHIN_MS, drainMs = DRAIN_MS } = this.times
    const cuts = [cutLater(this.unasked, asksWithinMs), cutLater(this.open, drainMs)]
    return () => cuts.forEach(clearTimeout)
  }

  private makeLast(outgoing: ServerResponse): void {
    if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
    // Its client expects to ask for more: the connection is idle once this is written.
    else outgoing.once('close', () => setImmediate(this.closeIdle))
  }
}

const cutLater = (sockets: ReadonlySet<Socket>, ms: number) =>
  setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, ms)
