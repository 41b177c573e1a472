import type { Position } from '../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import type { Feed } from '../../eventstore/feed.ts'
import { keepRunning, onceEachTime } from '../../eventstore/retry.ts'

/** `null`: not known, since the log is away, or behind what was watched. Seconds are the age of the oldest event that is not applied. */
export type Lag = { readonly events: number | null; readonly seconds: number | null }
const UNKNOWN: Lag = { events: null, seconds: null }

const WATCHED = 10_000

/** The newest events of the log by position and time: how far behind a projection is. */
export class HeadWatch {
  private seen: { position: Position; recordedAt: Date }[] = []

  /** Everything after `floor` is seen. */
  constructor(private floor: Position) {}

  see(batch: readonly StoredEvent[]): void {
    for (const { position, recordedAt } of batch) this.seen.push({ position, recordedAt })
    if (this.seen.length <= WATCHED) return
    const dropped = this.seen.splice(0, this.seen.length - WATCHED / 2)
    this.floor = dropped[dropped.length - 1]!.position
  }

  get head(): Position {
    return this.seen[this.seen.length - 1]?.position ?? this.floor
  }

  lagOf(position: Position, now: Date): Lag {
    if (position >= this.head) return { events: 0, seconds: 0 }
    if (position < this.floor) return UNKNOWN
    const next = this.seen.findIndex((one) => one.position > position)
    const waited = now.getTime() - this.seen[next]!.recordedAt.getTime()
    return { events: this.seen.length - next, seconds: Math.max(0, waited / 1_000) }
  }
}

export type HeadFollowerDeps = {
  readonly feed: Pick<Feed, 'follow' | 'isBroken'>
  readonly headOf: () => Promise<Position>
  readonly signal: AbortSignal
  /** Gets why the log is not watched, once each time. */
  readonly onLost: (error: unknown) => void
}

/** Watches the log beside the read models until the signal aborts. */
export function createHeadFollower({ feed, headOf, signal, onLost }: HeadFollowerDeps) {
  let watch: HeadWatch | undefined
  const { failed, worked } = onceEachTime(onLost)
  const follow = async (gotOn: () => void) => {
    const head = watch?.head ?? (await headOf())
    watch ??= new HeadWatch(head)
    for await (const batch of feed.follow(head, signal)) {
      watch.see(batch)
      gotOn()
      worked()
    }
  }
  return {
    run: () => keepRunning(signal, follow, failed),
    lagOf: (position: Position, now: Date): Lag => (!watch || feed.isBroken() ? UNKNOWN : watch.lagOf(position, now)),
  }
}
