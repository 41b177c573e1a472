import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { MemberId } from '../domain/shared/ids.ts'
import { later } from '../eventstore/position.ts'
import { Connection } from './connection.ts'
import type { RealtimeDeps, RealtimeStats, Upgrade } from './deps.ts'
import { Node } from './node.ts'
import { CloseCode } from './protocol.ts'
import { watchSessions } from './session-watch.ts'
import { SocketProtocol } from './socket-protocol.ts'
import { isRealtimePath, limitStranger, refuseUpgrade, statusOfBroken } from './upgrade.ts'

/** Where a request comes from, as the web port sees it. `attended`: the node has taken the socket. */
type From = {
  readonly origin: string | null
  readonly network: string
  /** What a refusal carries, as every answer of the port does. */
  readonly headers?: Readonly<Record<string, string>>
  readonly attended?: () => void
}

const SWEEP_MS = 1_000
const CLOSE_WITHIN_MS = 2_000

/** A realtime node. */
export type Realtime = {
  /**
   * Takes an upgrade or refuses it. `from.origin` is the origin of the request's own Host, null under a foreign one;
   * without `from` the origins of the node's set-up count, and the peer's address.
   */
  handleUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, from?: From): void
  /** Resolves once the node knows the recent past; sockets are taken from then on. */
  start(): Promise<void>
  ready(): boolean
  /** Sends every socket away within `drainMs`, spread over it, then ends. */
  stop(options?: { drainMs?: number }): Promise<void>
  /** Whether matches may see the member as online, at any node. */
  isOnline(member: MemberId): boolean
  stats(): RealtimeStats
}

export function createRealtime(deps: RealtimeDeps): Realtime {
  return new Server(deps)
}

class Server implements Realtime {
  private readonly node: Node
  private readonly sockets = new Set<Connection>()
  private readonly wss: WebSocketServer
  /** What a refusal of the request carries. */
  private readonly headersOf = new WeakMap<IncomingMessage, From['headers']>()
  private begun = false
  private state: 'new' | 'ready' | 'outdated' | 'draining' | 'stopped' = 'new'
  private sweeping: NodeJS.Timeout | undefined
  private watching: { stop(): void } | undefined

  constructor(private readonly deps: RealtimeDeps) {
    this.node = new Node(deps, () => this.leaveToOthers())
    // What a socket may ask bounds its pongs, too: it ends with a reason.
    const options = { maxFragments: 16, closeTimeout: CLOSE_WITHIN_MS, maxPendingAutoPongs: 0 }
    this.wss = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.node.limits.frameBytes,
      maxBufferedChunks: this.node.limits.framePieces,
      ...options,
    })
    // Its own answers carry none of the port's headers.
    this.wss.on('wsClientError', (_error, socket, incoming) =>
      refuseUpgrade(socket, statusOfBroken(incoming), { headers: this.headersOf.get(incoming) }),
    )
  }

  async start(): Promise<void> {
    if (this.state !== 'new') throw new Error('It was stopped.')
    this.begun = true
    await this.node.start()
    this.sweeping = setInterval(() => this.sweep(), SWEEP_MS).unref()
    const everyMs = this.node.limits.sessionsEveryMs
    this.watching = watchSessions({ ...this.deps, everyMs, sockets: () => this.sockets })
    this.state = 'ready'
  }

  ready(): boolean {
    return this.state === 'ready'
  }

  isOnline(member: MemberId): boolean {
    return this.node.presence.isOnline(member)
  }

  handleUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, from?: From) {
    const refuse = (status: Parameters<typeof refuseUpgrade>[1], retryInMs?: number) =>
      refuseUpgrade(socket, status, { retryInMs, headers: from?.headers })
    if (!isRealtimePath(incoming)) return refuse(404)
    const origins = from === undefined ? this.deps.origins() : from.origin === null ? [] : [from.origin]
    const network = from?.network ?? incoming.socket.remoteAddress ?? ''
    const isForeign = !origins.includes(incoming.headers.origin ?? '')
    // What a foreign page makes a member's browser send is not the member's.
    const upgrade = { cookie: isForeign ? undefined : incoming.headers.cookie, network, isForeign }
    const { refused } = this.deps
    if (!isForeign && !this.hasRoom()) return refuse(503, this.node.limits.retryInMs)
    // Nobody else listens to it until it is taken.
    socket.on('error', () => socket.destroy())
    this.deps.authenticate.waitOf(upgrade).then(
      (waitMs) => {
        if (waitMs !== null) {
          refused?.('limit-hit', upgrade)
          return refuse(429, waitMs)
        }
        if (isForeign) {
          refused?.('denied', upgrade)
          return refuse(403)
        }
        if (!this.hasRoom()) return refuse(503, this.node.limits.retryInMs)
        this.headersOf.set(incoming, from?.headers)
        this.wss.handleUpgrade(incoming, socket, head, (ws) => {
          limitStranger(socket, this.attend(ws, upgrade), this.node.limits.strangerBytes)
          from?.attended?.()
        })
      },
      () => refuse(503, this.node.limits.retryInMs),
    )
  }

  private hasRoom(): boolean {
    return this.ready() && this.sockets.size < this.node.limits.socketsPerNode
  }

  private attend(ws: WebSocket, upgrade: Upgrade): Connection {
    const connection = new Connection(ws, this.node.limits)
    this.node.strangers.add(connection, upgrade.network)
    const protocol = new SocketProtocol(this.node, connection, upgrade)
    this.sockets.add(connection)
    const late = setTimeout(() => {
      if (!connection.introduced) connection.close(CloseCode.signedOut, 'sign in')
    }, this.node.limits.authMs).unref()
    ws.on('error', () => connection.terminate())
    ws.on('message', (data, isBinary) => {
      const bytes = data as Buffer
      protocol.hear(isBinary ? null : bytes.toString(), bytes.length)
    })
    ws.on('ping', () => protocol.hearControl())
    ws.on('pong', () => protocol.hearControl())
    ws.on('close', () => {
      clearTimeout(late)
      connection.cut = true
      this.sockets.delete(connection)
      this.node.dismiss(connection)
    })
    return connection
  }

  /** Sends the time and the position to each socket, and lets go of those that do not answer or whose session is over. */
  private sweep(): void {
    // A clock that is set keeps no socket from its heartbeat, and cuts none.
    const now = performance.now()
    const { heartbeatMs } = this.node.limits
    const { follower } = this.node
    follower.ring.trim(Date.now())
    follower.rights.sweep(now)
    for (const connection of this.sockets) {
      const { member, until } = connection.identity ?? {}
      if (until && until.getTime() <= this.deps.now().getTime()) connection.close(CloseCode.signedOut, 'session over')
      if (now - connection.heardAt > 2 * heartbeatMs + SWEEP_MS) connection.terminate()
      else if (member && connection.after !== undefined && now - connection.beatAt >= heartbeatMs) {
        connection.beatAt = now
        const pos = later(connection.after, follower.reached(member))
        connection.send({ type: 'heartbeat', pos, now: this.deps.now().getTime() })
      }
    }
  }

  async stop({ drainMs = 0 }: { drainMs?: number } = {}): Promise<void> {
    if (this.state === 'stopped' || this.state === 'draining') return
    this.state = 'draining'
    clearInterval(this.sweeping)
    this.watching?.stop()
    this.sendAway(drainMs)
    await this.emptied(drainMs + CLOSE_WITHIN_MS)
    for (const connection of this.sockets) connection.terminate()
    if (this.begun) await this.node.stop()
    this.state = 'stopped'
  }

  private sendAway(drainMs: number): void {
    const all = [...this.sockets]
    all.forEach((connection, index) => {
      connection.send({ type: 'bye', retryInMs: Math.round(Math.random() * drainMs) })
      const inMs = (index / all.length) * drainMs
      if (drainMs === 0) connection.close(CloseCode.drain, 'drain')
      else setTimeout(() => connection.close(CloseCode.drain, 'drain'), inMs)
    })
  }

  /** Its sockets find a node of the later release, or this one's next process. */
  private leaveToOthers(): void {
    if (this.state !== 'ready') return
    this.state = 'outdated'
    this.sendAway(0)
  }

  private async emptied(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs
    while (this.sockets.size > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10))
  }

  stats(): RealtimeStats {
    const { hub, follower, count } = this.node
    const { members: rightsMembers, accounts: rightsAccounts } = follower.rights?.size ?? { members: 0, accounts: 0 }
    return {
      sockets: this.sockets.size,
      members: hub.memberCount,
      head: follower.head,
      floor: follower.ring?.floor ?? '',
      ringEntries: follower.ring?.size ?? 0,
      ringBytes: follower.ring?.bytes ?? 0,
      delivered: hub.delivered,
      slow: hub.slow,
      signalsDropped: hub.signalsDropped,
      skipped: follower.skipped,
      rightsMembers,
      rightsAccounts,
      ...count,
      resyncs: count.resyncs + hub.reloads,
    }
  }
}
