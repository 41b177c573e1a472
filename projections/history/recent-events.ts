import type { RecordedEvent } from '../../domain/all-events.ts'
import type { UndecodableEvent } from '../../eventstore/codec.ts'

export type ReadableEvent = RecordedEvent | UndecodableEvent
/** An event as read from the log, with its revision in its stream; `weight`: the bytes that it is stored in. */
export type ReadEvent = {
  readonly id: string
  readonly revision: number
  readonly weight: number
  readonly event: ReadableEvent
}

/** How long what was read is used again: auditors go from page to page of the same streams. */
const KEPT_MS = 60_000

type Kept = { readonly events: Map<number, ReadEvent>; readonly until: number; weight: number }

/**
 * What streams contained a moment ago, by revision; a bounded weight of events, the streams read longest ago go first.
 */
export class RecentEvents {
  private readonly streams = new Map<string, Kept>()
  private weight = 0
  /** Counts what was forgotten: what was read before it is not kept after it. */
  generation = 0

  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(stream: string): ReadonlyMap<number, ReadEvent> {
    const kept = this.streams.get(stream)
    if (kept && kept.until > this.now()) return kept.events
    this.drop(stream)
    return new Map()
  }

  keep(stream: string, events: readonly ReadEvent[]): void {
    const known = this.streams.get(stream)
    const kept = known ?? { events: new Map(), until: this.now() + KEPT_MS, weight: 0 }
    this.drop(stream)
    for (const one of events) {
      kept.weight += one.weight - (kept.events.get(one.revision)?.weight ?? 0)
      kept.events.set(one.revision, one)
    }
    this.streams.set(stream, kept)
    this.weight += kept.weight
    for (const oldest of this.streams.keys()) {
      if (this.weight <= this.most) return
      this.drop(oldest)
    }
  }

  /** Nothing of what was opened stays once a key is gone. */
  forgetAll(): void {
    this.generation++
    this.streams.clear()
    this.weight = 0
  }

  private drop(stream: string): void {
    this.weight -= this.streams.get(stream)?.weight ?? 0
    this.streams.delete(stream)
  }
}
