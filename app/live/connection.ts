import {
  type ClientEventName,
  type ClientEvents,
  CloseCode,
  type EventFrame,
  type EventName,
  HEARTBEAT_MS,
  type LiveSignals,
  RECONNECT_JITTER,
  RECONNECT_MS,
  type ResyncReason,
  reconnectsAfter,
  type ServerFrame,
} from '../../realtime/protocol.ts'
import { Emitter } from './emitter.ts'
import { Memory } from './memory.ts'
import { type Answer, LOST, Requests } from './requests.ts'

/** `live`: all that happens arrives. `waiting`: between two tries. `stopped`: for good, until the page loads anew. */
export type LiveState = 'idle' | 'connecting' | 'live' | 'waiting' | 'offline' | 'stopped'

export type LiveOptions = {
  readonly url: string
  /** The position in the log that the page's data was read at; null to begin with what comes. */
  readonly from: string | null
  /** Reads the page's data again; answers the position it was read at. */
  readonly reload: (reason: ResyncReason) => Promise<string>
  /** The session is over; the connection stays closed. */
  readonly signedOut?: () => void
  /** Whether nobody looks at the page, or there is no network: then it connects again later (ruling R36). */
  readonly waits?: () => boolean
  /** Where there is no session cookie. */
  readonly token?: () => string | undefined
  readonly open?: (url: string) => WebSocket
  readonly random?: () => number
}

type Names = { [N in EventName]: EventFrame<N> } & LiveSignals & { state: LiveState; event: EventFrame }

const OPEN = 1
const CONNECT_WITHIN_MS = 10_000
const SILENT_MS = 2 * HEARTBEAT_MS + 5_000

/** The page's socket: connects, resumes where it was, and emits each thing once. Knows nothing of React. */
export class LiveConnection {
  state: LiveState = 'idle'
  closeCode: number | undefined
  private readonly emitter = new Emitter<Names>()
  private readonly memory: Memory
  private readonly requests = new Requests()
  private readonly rooms = new Map<string, number>()
  private socket: WebSocket | undefined
  private epoch: string | undefined
  private hintMs = 0
  private reloadedAt = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private watchdog: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: LiveOptions) {
    this.memory = new Memory(options.from)
  }

  /** The position up to which everything has come. */
  get position(): string | null {
    return this.memory.covered
  }

  /** Events and signals by their names; `state`; and `event`, for each event whatever its name. */
  on<N extends keyof Names>(name: N, handler: (value: Names[N]) => void): () => void {
    return this.emitter.on(name, handler)
  }

  start(): void {
    if (this.state === 'idle' || this.state === 'stopped') this.connect()
  }

  stop(): void {
    this.move('stopped')
    this.drop()
  }

  /** The network went away: trying is in vain. */
  offline(): void {
    if (this.state === 'stopped' || this.state === 'idle') return
    this.drop()
    this.move('offline')
  }

  /** It is time to try again: the network is back, or the page is looked at again. */
  nudge(): void {
    if ((this.state === 'offline' || this.state === 'waiting') && !this.options.waits?.()) this.connect()
  }

  /** Sends what needs no answer; false when it could not be sent. */
  emit<N extends ClientEventName>(name: N, data: ClientEvents[N]): boolean {
    return this.state === 'live' && this.write({ type: name, data })
  }

  /** Asks for something; the answer is `lost` when the connection is or goes away. */
  ask<N extends ClientEventName>(name: N, data: ClientEvents[N]): Promise<Answer> {
    if (this.state !== 'live') return Promise.resolve(LOST)
    return this.requests.ask((id) => this.write({ type: name, id, data }))
  }

  /** Sits in a room until the answer is called, over any number of connections. */
  join(roomId: string): () => void {
    const joined = this.rooms.get(roomId) ?? 0
    this.rooms.set(roomId, joined + 1)
    if (joined === 0) this.emit('joinRoom', { roomId })
    return () => {
      const left = (this.rooms.get(roomId) ?? 1) - 1
      if (left > 0) this.rooms.set(roomId, left)
      else {
        this.rooms.delete(roomId)
        this.emit('leaveRoom', { roomId })
      }
    }
  }

  private connect(): void {
    this.drop()
    this.move('connecting')
    const { url, open = (to: string) => new WebSocket(to), token } = this.options
    const socket = open(url)
    this.socket = socket
    this.watch(CONNECT_WITHIN_MS)
    socket.onopen = () => {
      const last = this.memory.covered ?? undefined
      this.write({ type: 'auth', token: token?.(), last, epoch: last && this.epoch })
    }
    socket.onmessage = ({ data }) => this.socket === socket && this.hear(JSON.parse(String(data)))
    socket.onclose = ({ code }) => this.socket === socket && this.closed(code)
  }

  private closed(code: number): void {
    this.closeCode = code
    this.drop()
    if (this.state === 'stopped') return
    if (!reconnectsAfter(code)) {
      this.move('stopped')
      if (code === CloseCode.signedOut) this.options.signedOut?.()
      return
    }
    this.move('waiting')
    const { random = Math.random } = this.options
    const delay = Math.max(RECONNECT_MS, this.hintMs) * (1 + RECONNECT_JITTER * random())
    this.hintMs = 0
    this.retry = setTimeout(() => this.nudge(), delay)
  }

  private hear(frame: ServerFrame): void {
    this.watch(SILENT_MS)
    switch (frame.type) {
      case 'ready':
        this.epoch = frame.epoch
        if (this.memory.covered === null) this.memory.cover(frame.pos)
        break
      case 'event':
        if (this.memory.isNew(frame)) this.announce(frame)
        break
      case 'signal':
        this.emitter.emit(frame.name, frame.data as never)
        break
      case 'heartbeat':
        this.memory.cover(frame.pos)
        if (this.state !== 'live') this.caughtUp()
        this.write({ type: 'heartbeat', pos: frame.pos })
        break
      case 'resync':
        void this.resync(frame.reason)
        break
      case 'ack':
        this.requests.settle(frame.id, { ok: true, pos: frame.pos })
        break
      case 'error':
        this.requests.settle(frame.for, refusalOf(frame))
        break
      case 'bye':
        this.hintMs = frame.retryInMs
    }
  }

  private announce(frame: EventFrame): void {
    this.emitter.emit(frame.name, frame as never)
    this.emitter.emit('event', frame)
  }

  private caughtUp(): void {
    this.move('live')
    for (const roomId of this.rooms.keys()) this.emit('joinRoom', { roomId })
  }

  /** The page reads everything anew and resumes from there. */
  private async resync(reason: ResyncReason): Promise<void> {
    const { socket } = this
    this.move('connecting')
    const early = this.reloadedAt + RECONNECT_MS - Date.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    this.reloadedAt = Date.now()
    try {
      const pos = await this.options.reload(reason)
      this.memory.restart(pos)
      if (this.socket !== socket) return
      this.write({ type: 'resume', last: pos, epoch: this.epoch })
    } catch {
      if (this.socket === socket) this.closed(CloseCode.drain)
    }
  }

  private write(frame: object): boolean {
    if (this.socket?.readyState !== OPEN) return false
    this.socket.send(JSON.stringify(frame))
    return true
  }

  /** A connection that is silent for too long is as good as closed. */
  private watch(ms: number): void {
    clearTimeout(this.watchdog)
    this.watchdog = setTimeout(() => this.closed(CloseCode.drain), ms)
  }

  private drop(): void {
    clearTimeout(this.retry)
    clearTimeout(this.watchdog)
    const { socket } = this
    this.socket = undefined
    if (socket) {
      socket.onopen = null
      socket.onmessage = null
      socket.onclose = null
      socket.close()
    }
    this.requests.loseAll()
  }

  private move(state: LiveState): void {
    if (this.state === state) return
    this.state = state
    this.emitter.emit('state', state)
  }
}

function refusalOf({ error, code, retryInMs }: Extract<ServerFrame, { type: 'error' }>): Answer {
  return { ok: false, error, code, ...(retryInMs !== undefined && { retryInMs }) }
}
