import { EventEmitter, once } from 'node:events'

/** Rings for one follower of one stream, so that commits to other streams wake nobody. */
export class StreamBell extends EventEmitter {
  /** Position of the first event since the bell was looked at; 0 where events may have come that nobody counted. */
  private unseen: number | undefined

  ring(position: number): void {
    this.unseen ??= position
    this.emit('ring')
  }

  /** The events since then may be gone from memory. */
  ringUncounted(): void {
    this.unseen = 0
    this.emit('ring')
  }

  /** Looks, and begins anew. */
  look(): number | undefined {
    const { unseen } = this
    this.unseen = undefined
    return unseen
  }

  /** Resolves when it has rung; rejects when the signal aborts. */
  async rung(signal: AbortSignal): Promise<void> {
    if (this.unseen === undefined) await once(this, 'ring', { signal })
  }
}

/** The bells of all followers, by stream. */
export class StreamBells {
  private readonly byStream = new Map<string, Set<StreamBell>>()

  get streams(): number {
    return this.byStream.size
  }

  hang(stream: string): StreamBell {
    const bell = new StreamBell()
    const bells = this.byStream.get(stream) ?? new Set()
    this.byStream.set(stream, bells.add(bell))
    return bell
  }

  take(stream: string, bell: StreamBell): void {
    const bells = this.byStream.get(stream)
    bells?.delete(bell)
    if (!bells?.size) this.byStream.delete(stream)
  }

  ring(stream: string, position: number): void {
    const bells = this.byStream.get(stream)
    if (bells) for (const bell of bells) bell.ring(position)
  }

  ringAll(): void {
    for (const bells of this.byStream.values()) for (const bell of bells) bell.ringUncounted()
  }
}
