import WebSocket from 'ws'
import type { EventFrame, EventName, ServerFrame } from '../../realtime/protocol.ts'
import { until } from '../support/until.ts'

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>

/** A bare socket of a test: sends what a test asks for, keeps what it gets. */
export class Peer {
  readonly frames: ServerFrame[] = []
  readonly ws: WebSocket
  /** Rejects with the status when the upgrade is refused. */
  readonly opened: Promise<void>
  readonly closed: Promise<number>
  closeCode: number | undefined
  private read = 0

  constructor(port: number, { origin, headers = {}, path = '/realtime' }: PeerOptions = {}) {
    this.ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, ...(origin && { origin }) })
    this.ws.on('message', (data) => this.frames.push(JSON.parse(data.toString())))
    this.opened = new Promise((resolve, reject) => {
      this.ws.once('open', resolve)
      this.ws.once('unexpected-response', (_request, response) => reject(new Error(`status ${response.statusCode}`)))
      this.ws.on('error', reject)
    })
    this.opened.catch(() => undefined)
    this.closed = new Promise((resolve) => {
      this.ws.once('close', (code) => {
        this.closeCode = code
        resolve(code)
      })
    })
  }

  send(frame: object | string): void {
    this.ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** The next frame of a type, beyond those already taken. */
  async next<T extends ServerFrame['type']>(type: T): Promise<FrameOf<T>> {
    return until(`a frame of type ${type}`, () => {
      const found = this.frames.findIndex((frame, index) => index >= this.read && frame.type === type)
      if (found < 0) return null
      this.read = found + 1
      return this.frames[found] as FrameOf<T>
    })
  }

  /** Events that came, of one name or all. */
  events<N extends EventName>(name?: N): EventFrame<N>[] {
    const events = this.frames.filter((frame): frame is EventFrame => frame.type === 'event')
    return events.filter((event) => !name || event.name === name) as EventFrame<N>[]
  }

  async event<N extends EventName>(name: N, count = 1): Promise<EventFrame<N>> {
    return until(`${count} of ${name}`, () => this.events(name)[count - 1])
  }

  /** What was sent before this returns has been answered. */
  async settled(): Promise<void> {
    const id = `settled-${this.frames.length}`
    this.send({ type: 'meet:request', id, data: null })
    await until('the echo', () => this.frames.some((frame) => frame.type === 'error' && frame.for === id))
  }
}
type PeerOptions = { origin?: string; headers?: Record<string, string>; path?: string }
