import type { RecordedEvent } from '../domain/all-events.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import type { Item } from './ring/ring.ts'

/** What one event pushes, by member; `items` is undefined until what it needs has been looked up. */
export type Parcel = {
  readonly event: RecordedEvent
  /** The end of the log as this node knew it before the event. */
  readonly before: Position
  items: ReadonlyMap<MemberId, readonly Item[]> | undefined
}
type Gone = (item: Item) => boolean
type Slot = { readonly parcel: Parcel; readonly gone: Gone[]; readonly done: (() => void)[]; asking: boolean }

export type PushQueuesDeps = {
  /** What has to be known before these go to the member; null when nothing is missing. Rejects when the node stops. */
  readonly missing: (member: MemberId, items: readonly Item[]) => Promise<void> | null
  readonly send: (member: MemberId, parcel: Parcel, items: readonly Item[]) => void
  readonly failed: (parcel: Parcel, error: unknown) => void
}

/** A queue for each member: pushes leave in the order of the log, and one that waits delays no other member's. */
export class PushQueues {
  private readonly queues = new Map<MemberId, Slot[]>()
  private stopped = false
  size = 0

  constructor(private readonly deps: PushQueuesDeps) {}

  add(member: MemberId, parcel: Parcel): void {
    const queue = this.queues.get(member)
    const slot: Slot = { parcel, gone: [], done: [], asking: false }
    if (queue) queue.push(slot)
    else this.queues.set(member, [slot])
    this.size++
  }

  /** Sends what can go to the member. */
  advance(member: MemberId): void {
    const queue = this.queues.get(member)
    while (queue && queue.length > 0) {
      const slot = queue[0]!
      if (!slot.parcel.items || slot.asking) return
      const items = (slot.parcel.items.get(member) ?? []).filter((item) => !slot.gone.some((gone) => gone(item)))
      const missing = this.deps.missing(member, items)
      if (missing) {
        this.wait(member, slot, missing)
        return
      }
      queue.shift()
      this.size--
      for (const done of slot.done) done()
      if (items.length > 0) this.send(member, slot.parcel, items)
    }
    this.queues.delete(member)
  }

  /** Everything of the member's up to the answer has been sent; `head` is the end of what this node knows. */
  reached(member: MemberId, head: Position): Position {
    return this.queues.get(member)?.[0]?.parcel.before ?? head
  }

  /** Takes back what waits for the member. */
  retract(member: MemberId, gone: Gone): void {
    for (const slot of this.queues.get(member) ?? []) slot.gone.push(gone)
  }

  /** Takes back from every member. */
  retractAll(gone: Gone): void {
    for (const member of this.queues.keys()) this.retract(member, gone)
  }

  /** Resolves once nothing waits of what waits now, or the node stops. */
  async drained(): Promise<void> {
    if (this.stopped) return
    const last = [...this.queues.values()].map((queue) => queue[queue.length - 1]!)
    await Promise.all(last.map(({ done }) => new Promise<void>((resolve) => done.push(resolve))))
  }

  stop(): void {
    this.stopped = true
    for (const queue of this.queues.values()) for (const { done } of queue) for (const resolve of done) resolve()
  }

  /** One push that fails delays no later one. */
  private send(member: MemberId, parcel: Parcel, items: readonly Item[]): void {
    try {
      this.deps.send(member, parcel, items)
    } catch (error) {
      this.deps.failed(parcel, error)
    }
  }

  private wait(member: MemberId, slot: Slot, missing: Promise<void>): void {
    slot.asking = true
    const resume = () => {
      slot.asking = false
      this.advance(member)
    }
    missing.then(resume, () => undefined)
  }
}
