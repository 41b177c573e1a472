import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { later } from '../../eventstore/position.ts'
import type { Push } from '../pushes/push.ts'

/** One push to one member, as the text that goes over each of their sockets. */
export type Item = {
  readonly pos: Position
  /** It goes out only while rights allow it; null when it always may. */
  readonly about: Push['about']
  readonly frame: Buffer
}

export type RingLimits = { readonly ringMs: number; readonly ringEvents: number; readonly ringBytes: number }
type Entry = { readonly pos: Position; readonly at: number; readonly members: MemberId[]; bytes: number }

/** What was pushed to members lately, by member, so that a socket that was gone catches up. */
export class Ring {
  private entries: Entry[] = []
  private first = 0
  private readonly inboxes = new Map<MemberId, Item[]>()
  bytes = 0

  /** Everything after `floor` is kept. */
  constructor(
    public floor: Position,
    private readonly limits: RingLimits,
  ) {}

  get size(): number {
    return this.entries.length - this.first
  }

  /** Items of one event, those of a member in the order of the log; `at` is when it was recorded, in milliseconds. */
  add(pos: Position, at: number, items: readonly (readonly [MemberId, Item])[]): void {
    if (items.length === 0) return
    let bytes = 0
    for (const [member, item] of items) {
      const inbox = this.inboxes.get(member)
      if (inbox) inbox.push(item)
      else this.inboxes.set(member, [item])
      bytes += item.frame.length
    }
    this.bytes += bytes
    const members = items.map(([member]) => member)
    const last = this.size > 0 ? this.entries.at(-1) : undefined
    if (last?.pos === pos) {
      last.members.push(...members)
      last.bytes += bytes
    } else this.entries.push({ pos, at, members, bytes })
  }

  /** Puts what another has before what is here: nothing is between the two. The other is of no use any more. */
  precede(older: Ring): void {
    this.entries = [...older.entries.slice(older.first), ...this.entries.slice(this.first)]
    this.first = 0
    for (const [member, items] of older.inboxes)
      this.inboxes.set(member, [...items, ...(this.inboxes.get(member) ?? [])])
    this.bytes += older.bytes
    this.floor = older.floor
  }

  /** What was pushed to the member after a position, in the order of the log. */
  after(member: MemberId, last: Position): Item[] {
    const inbox = this.inboxes.get(member) ?? []
    let low = 0
    let high = inbox.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (inbox[middle]!.pos > last) high = middle
      else low = middle + 1
    }
    return inbox.slice(low)
  }

  /** Takes back pushes to the member, so that none is sent again. */
  retract(member: MemberId, gone: (item: Item) => boolean): void {
    const inbox = this.inboxes.get(member)
    if (!inbox) return
    const kept = inbox.filter((item) => !gone(item))
    if (kept.length > 0) this.inboxes.set(member, kept)
    else this.inboxes.delete(member)
  }

  /** Takes back from every member. */
  retractAll(gone: (item: Item) => boolean): void {
    for (const member of [...this.inboxes.keys()]) this.retract(member, gone)
  }

  /** Lets go of what is old; `now` in milliseconds. */
  trim(now: number): void {
    const { ringMs, ringEvents, ringBytes } = this.limits
    while (this.size > 0) {
      const oldest = this.entries[this.first]!
      const wanted = this.size <= ringEvents || now - oldest.at < ringMs
      if (wanted && this.bytes <= ringBytes) break
      this.drop(oldest)
    }
    if (this.first > 1_000 && this.first * 2 > this.entries.length) {
      this.entries = this.entries.slice(this.first)
      this.first = 0
    }
  }

  private drop(entry: Entry): void {
    this.first++
    this.floor = later(this.floor, entry.pos)
    this.bytes -= entry.bytes
    for (const member of entry.members) {
      const inbox = this.inboxes.get(member)
      if (!inbox) continue
      while (inbox.length > 0 && inbox[0]!.pos <= entry.pos) inbox.shift()
      if (inbox.length === 0) this.inboxes.delete(member)
    }
  }
}
