import { EventEmitter, once } from 'node:events'
import { bytesOf, type StoredEvent } from './records.ts'
import { type StreamBell, StreamBells } from './stream-bells.ts'

const TAIL_BYTES = 16 * 1024 * 1024

/** The newest committed events, in memory for those who follow the log, and the bell that rings at each commit. */
export class Tail {
  private events: StoredEvent[] = []
  private bytes = 0
  private committed = 0
  private readonly bell = new EventEmitter().setMaxListeners(0)
  private readonly bells = new StreamBells()

  /** Position of the last committed event, 0 in an empty log. */
  get last(): number {
    return this.committed
  }

  /** Takes a commit in. The events follow directly on `last`. */
  push(events: StoredEvent[]): void {
    for (const event of events) {
      this.events.push(event)
      this.bytes += bytesOf(event)
      this.committed = event.position
    }
    this.trim()
    this.bell.emit('commit')
    for (const { stream, position } of events) this.bells.ring(stream, position)
  }

  /** Starts over from a position that the storage names; what came before is read from there. */
  restart(last: number): void {
    this.events = []
    this.bytes = 0
    this.committed = last
    this.bell.emit('commit')
    this.bells.ringAll()
  }

  /** Up to `limit` events after the position, or null where memory does not reach back so far. */
  after(position: number, limit: number): StoredEvent[] | null {
    const oldest = this.events[0]
    if (!oldest || oldest.position > position + 1) return null
    const start = position + 1 - oldest.position
    return this.events.slice(start, start + limit)
  }

  /** Resolves at the next commit; rejects when the signal aborts. */
  async nextCommit(signal: AbortSignal): Promise<void> {
    await once(this.bell, 'commit', { signal })
  }

  /** How many streams somebody follows by themselves. */
  get followedStreams(): number {
    return this.bells.streams
  }

  /** A bell that rings from now on at each commit to the stream, until it is let go. */
  followStream(stream: string): { bell: StreamBell; letGo: () => void } {
    const bell = this.bells.hang(stream)
    return { bell, letGo: () => this.bells.take(stream, bell) }
  }

  /** Drops a quarter at a time, so that a commit rarely pays for it. */
  private trim(): void {
    if (this.bytes <= TAIL_BYTES) return
    let drop = 0
    for (const event of this.events) {
      if (this.bytes <= TAIL_BYTES * 0.75 || drop === this.events.length - 1) break
      this.bytes -= bytesOf(event)
      drop++
    }
    this.events.splice(0, drop)
  }
}
