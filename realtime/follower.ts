import type { RecordedEvent } from '../domain/all-events.ts'
import { type MemberId, otherOf, pairIdOf } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import type { StoredEvent } from '../eventstore/events.ts'
import { keepRunning, onceEachTime, pause } from '../eventstore/retry.ts'
import { decodeEach } from './decode.ts'
import type { FollowerDeps } from './deps.ts'
import { isFollowed } from './followed.ts'
import { MissedClosings } from './missed-closings.ts'
import { Preparing, type Ready } from './preparing.ts'
import { type Parcel, PushQueues } from './push-queues.ts'
import type { Names, Push } from './pushes/push.ts'
import { closedByAbsence } from './pushes/room-closed.ts'
import { Absences, type Away, isAway } from './rights/absences.ts'
import { beginningOf } from './rights/beginning.ts'
import { changeOf, isRights, pairOf } from './rights/changes.ts'
import { ErasedRooms } from './rights/erased-rooms.ts'
import { Rights } from './rights/rights.ts'
import { Backfill, type BackfillDeps } from './ring/backfill.ts'
import { retract } from './ring/retractions.ts'
import { type Item, Ring } from './ring/ring.ts'

/** Of members whose pages are asked to load again: five hundred a second. */
const BETWEEN_RELOADS_MS = 2

/** Follows the log, folds who may see what, keeps what was pushed, and pushes it. */
export class Follower {
  rights!: Rights
  ring!: Ring
  readonly absences: Absences
  private erasedRooms!: ErasedRooms
  epoch = ''
  firstEpoch = ''
  head!: Position
  /** Where the log last changed who shows their presence, as far as this node knows. */
  visibilityAt!: Position
  skipped = 0
  private backfill: Backfill | undefined
  private upTo: Position | undefined
  private readonly queues: PushQueues
  private readonly preparing: Preparing
  /** Members from whom something is kept that nobody can decide on for now. */
  private readonly leftOut = new Set<MemberId>()
  /** Ends a start that cannot come to its end. */
  private giveUp: (why: unknown) => void = () => undefined
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()
  /** Each reason once until an event comes: a second outage without one in between is the same. */
  private readonly reports = onceEachTime((error) =>
    this.deps.logLine(`realtime: following the log failed, again soon: ${nameOf(error)}`),
  )

  constructor(private readonly deps: FollowerDeps) {
    this.absences = new Absences(deps.limits.absences)
    this.preparing = new Preparing({
      ...deps,
      signal: this.stopping.signal,
      failed: (event, error) => this.skip(event, error),
    })
    this.queues = new PushQueues({
      missing: (member, items) => this.missing(member, items),
      send: (member, parcel, items) => this.send(member, parcel, items),
      failed: ({ event }, error) => this.skip(event, error),
    })
  }

  /** Resolves once this node has reached the end of the log. What it knows of the time before it is read from then on. */
  async start(read: BackfillDeps['read']): Promise<void> {
    const { source, limits } = this.deps
    const floor = await source.earlierPosition(limits.startEvents, new Date())
    this.epoch = await source.epoch()
    this.firstEpoch = await source.firstEpoch()
    this.backfill = new Backfill(floor, { ...this.deps, read })
    await this.begin(floor, await beginningOf(floor, this.deps), await source.head())
    this.stopping.signal.throwIfAborted()
    this.backfill.start(this)
  }

  /** Resolves once it has taken what came after a position, up to another, and nothing else. */
  async follow(after: Position, upTo: Position): Promise<void> {
    this.upTo = upTo
    await this.begin(after, after, upTo)
  }

  private async begin(floor: Position, beginning: Position, end: Position): Promise<void> {
    const { readRights, limits, logLine } = this.deps
    this.head = beginning
    this.rights = new Rights(this.head, { readRights, logLine, limits, caughtUp: () => void this.bringLeftOut() })
    this.erasedRooms = new ErasedRooms({ ...this.deps, rights: this.rights, absences: this.absences })
    this.ring = new Ring(floor, limits)
    await new Promise<void>((resolve, reject) => {
      if (this.head >= end) resolve()
      this.giveUp = reject
      const work = (gotOn: () => void) =>
        this.takeAll(() => {
          gotOn()
          this.reports.worked()
          if (this.head >= end) resolve()
        })
      this.running = keepRunning(this.stopping.signal, work, (error) => this.complain(error)).then(
        () => reject(new Error('It was stopped.')),
        reject,
      )
    })
    await this.queues.drained()
    this.visibilityAt = this.head
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.backfill?.stop()
    this.rights?.stop()
    this.queues.stop()
    await this.running
  }

  /** What is the member's up to the answer has been sent. */
  reached(member: MemberId): Position {
    return this.queues.reached(member, this.head)
  }

  private async takeAll(onBatch: () => void): Promise<void> {
    for await (const batch of this.deps.source.follow(this.head, this.stopping.signal)) {
      await this.take(batch)
      onBatch()
    }
  }

  private complain(error: unknown): void {
    this.reports.failed(error)
    if (nameOf(error) !== 'TooNewEvent') return
    this.giveUp(error)
    this.deps.outdated()
  }

  private async take(batch: readonly StoredEvent[]): Promise<void> {
    const { upTo } = this
    const isNext = (at: Position) => at > this.head && (upTo === undefined || at <= upTo)
    const stored = batch.filter((event) => isNext(event.position) && isFollowed(event))
    const events = await decodeEach(this.deps.codec, stored, (event) => this.leaveOut(event))
    const names = this.preparing.names(events.filter(this.isNew))
    events.forEach((event, index) => {
      const before = this.head
      this.head = event.position
      try {
        this.apply(event, before, { names, next: events[index + 1] })
      } catch (error) {
        this.skip(event, error)
      }
    })
    const last = batch.at(-1)
    if (last && last.position > this.head) this.head = last.position
    this.ring.trim(Date.now())
    this.ring.floor = this.absences.trim(this.ring.floor)
    if (this.queues.size > this.deps.limits.pushesWaiting) await this.queues.drained()
  }

  private leaveOut(event: StoredEvent): void {
    this.skipped++
    this.deps.logLine(`realtime: left out ${event.type} ${event.id}`)
  }

  private skip(event: RecordedEvent, error: unknown): void {
    this.skipped++
    this.deps.logLine(`realtime: could not push ${event.type} ${event.id}: ${nameOf(error)}`)
  }

  /** Newer than what the ring begins with: it is pushed. */
  private isNew = (event: RecordedEvent): boolean => event.position > this.ring.floor

  private apply(
    event: RecordedEvent,
    before: Position,
    { names, next }: { names: Promise<Names> | null; next: RecordedEvent | undefined },
  ): void {
    const hadRoom = event.type === 'Blocked' ? this.rights.hadRoom(pairOf(event), event.position) : undefined
    // An erasure takes the matches from the rights.
    const closed = isAway(event) ? this.closedBy(event) : []
    if (isRights(event)) this.rights.fold(changeOf(event))
    if (this.isNew(event)) {
      const announced = closed.flatMap(({ to }) => to)
      for (const pushed of [this.ring, this.queues]) retract(pushed, event)
      this.absences.fold(event, announced)
      this.backfill?.note(event, announced)
      const ready = isAway(event)
        ? this.preparing.made(event, closed)
        : this.preparing.of(event, { names, next, hadRoom })
      this.push({ event, before, items: undefined }, ready)
    }
    this.act(event)
  }

  /** Of an account that was away already the rooms are closed. */
  private closedBy(event: Away): Push[] {
    if (this.rights.isOut(event.member)) return []
    return [...this.rights.matchedHere(event.member)].map((match) => closedByAbsence(event, match))
  }

  private push(parcel: Parcel, { to, items }: Ready): void {
    for (const member of to) this.queues.add(member, parcel)
    const send = (found: Parcel['items']) => {
      parcel.items = found
      for (const member of to) this.queues.advance(member)
    }
    if (items instanceof Promise) items.then(send, () => undefined)
    else send(items)
  }

  /** Of whom something is to be sent to a member who is here, without whose account it may not be. */
  private missing(member: MemberId, items: readonly Item[]): Promise<void> | null {
    const others = items.flatMap(({ about }) => (about ? [otherOf(about.pair, member)] : []))
    const unknown = others.filter((other) => !this.rights.knows(member, other))
    if (unknown.length === 0) return null
    if (!this.rights.cannotKnow) return this.rights.know(member, unknown)
    this.leftOut.add(member)
    return null
  }

  /** Pages of members from whom something was kept read it anew: not all at once, from models that have only just come. */
  private async bringLeftOut(): Promise<void> {
    for (const member of this.leftOut) {
      this.leftOut.delete(member)
      this.deps.hub.reload(member)
      await pause(BETWEEN_RELOADS_MS, this.stopping.signal)
    }
  }

  private send(member: MemberId, { event }: Parcel, items: readonly Item[]): void {
    const own = items.map((item): [MemberId, Item] => [member, item])
    // The end of an account is not in the ring: whoever missed it looks for it among the absences.
    if (!isAway(event)) this.ring.add(event.position, event.recordedAt.getTime(), own)
    for (const item of items) if (this.allows(member, item)) this.deps.hub.deliver(member, item)
    if (event.type === 'Matched') this.deps.matched(member, otherOf(pairIdOf(...event.members), member))
  }

  /** Rights as they are at this moment, also for what is replayed. What is not known is not allowed. */
  allows(member: MemberId, { about }: Item): boolean {
    if (!about) return true
    const other = otherOf(about.pair, member)
    return about.needs === 'open' ? this.rights.open(member, other) : this.rights.unblocked(member, other)
  }

  /** Nobody here knows what was pushed after a position. */
  isGap(after: Position): boolean {
    return after < this.ring.floor && !this.backfill?.waitsFor(after)
  }

  /** What has to be known before it is decided what a member may have again; null when nothing is missing. */
  waitsFor(member: MemberId, after: Position): Promise<void> | null {
    if (after < this.ring.floor) return this.backfill?.waitsFor(after) ?? null
    return this.missing(member, this.ring.after(member, after))
  }

  /** The rooms of a member that ended after a position with the account of the other. */
  missedClosings(member: MemberId, after: Position): MissedClosings {
    const { deps, rights, erasedRooms } = this
    const absencesAfter = (position: Position) => this.absences.after(position)
    const most = deps.limits.erasuresLookedAt
    return new MissedClosings(member, after, { ...deps, rights, erasedRooms, absencesAfter, most })
  }

  private act(event: RecordedEvent) {
    const { hub, visibilityChanged } = this.deps
    switch (event.type) {
      case 'SessionsRevoked':
        this.rights.revoke(event.sessions)
        return hub.signOut(event.member, event.sessions)
      case 'AccountErased':
      case 'AccountDeactivated':
      case 'AccountSuspended':
        return hub.signOut(event.member)
      case 'VisibilityChanged':
      case 'VisibilityModeChanged':
        this.visibilityAt = event.position
        return visibilityChanged(event.member)
    }
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
