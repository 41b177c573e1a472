import {
  type ClientEventName,
  type ClientEvents,
  type EventFrame,
  type EventName,
  HEARTBEAT_MS,
  type LiveSignals,
  RECONNECT_JITTER,
  RECONNECT_MS,
  type ResyncReason,
  reconnectsAfter,
  type ServerFrame,
  SIGNED_OUT,
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
  /** The life of the log that it was read in. */
  readonly epoch?: string | undefined
  /** Reads the page's data again; answers the position it was read at, null where that is not known: it is tried again. */
  readonly reload: (reason: ResyncReason) => Promise<string | null>
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
const APART_AT_MOST_MS = 30_000
const CALM_MS = 60_000

/** The page's socket: connects, resumes where it was, and emits each thing once. Knows nothing of React. */
export class LiveConnection {
  state: LiveState = 'idle'
  private readonly emitter = new Emitter<Names>()
  private readonly memory: Memory
  private readonly requests = new Requests()
  private readonly rooms = new Map<string, number>()
  private socket: WebSocket | undefined
  /** Of the log's life: as the socket has it, and of what the page has. */
  private heard: string | undefined
  private epoch: string | undefined
  private hintMs = 0
  private reloadedAt = 0
  private apartMs = 0
  private retry: ReturnType<typeof setTimeout> | undefined
  private watchdog: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly options: LiveOptions) {
    this.memory = new Memory(options.from)
    this.epoch = options.epoch
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
      this.write({ type: 'auth', token: token?.(), last, epoch: this.epoch })
    }
    socket.onmessage = ({ data }) => this.socket === socket && this.hear(JSON.parse(String(data)))
    socket.onclose = ({ code }) => this.socket === socket && this.closed(code)
  }

  private closed(code = 0): void {
    this.drop()
    if (this.state === 'stopped') return
    if (!reconnectsAfter(code)) {
      this.move('stopped')
      if (code === SIGNED_OUT) this.options.signedOut?.()
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
        this.heard = frame.epoch
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
        if (frame.for !== 'resume') break
        this.hintMs = frame.retryInMs ?? 0
        this.closed()
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
    this.epoch = this.heard
    this.move('live')
    for (const roomId of this.rooms.keys()) this.emit('joinRoom', { roomId })
  }

  /** The page reads everything anew and resumes from there; again and again, ever further apart, until it is calm for a while. */
  private async resync(reason: ResyncReason): Promise<void> {
    const { socket, heard } = this
    this.move('connecting')
    const since = Date.now() - this.reloadedAt
    this.apartMs = since > CALM_MS ? 0 : Math.min(2 * this.apartMs || RECONNECT_MS, APART_AT_MOST_MS)
    if (since < this.apartMs) await new Promise((resolve) => setTimeout(resolve, this.apartMs - since))
    if (this.socket !== socket) return
    const pos = await this.options.reload(reason).catch(() => null)
    this.reloadedAt = Date.now()
    if (pos) {
      this.memory.restart(pos)
      this.epoch = heard
    }
    if (this.socket !== socket) return
    if (pos) this.write({ type: 'resume', last: pos, epoch: heard })
    else this.closed()
  }

  private write(frame: object): boolean {
    if (this.socket?.readyState !== OPEN) return false
    this.socket.send(JSON.stringify(frame))
    return true
  }

  /** A connection that is silent for too long is as good as closed. */
  private watch(ms: number): void {
    clearTimeout(this.watchdog)
    this.watchdog = setTimeout(() => this.closed(), ms)
  }

  private drop(): void {
    clearTimeout(this.retry)
    clearTimeout(this.watchdog)
    const { socket } = this
    this.socket = undefined
    socket?.close()
    this.requests.loseAll()
  }

  private move(state: LiveState): void {
    if (this.state === state) return
    this.state = state
    this.emitter.emit('state', state)
  }
}

function refusalOf({ error, code, retryInMs }: Extract<ServerFrame, { type: 'error' }>): Answer {
  return { ok: false, error, code, retryInMs }
}
