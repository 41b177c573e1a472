import type { RecordedEvent } from '../domain/all-events.ts'
import { type MemberId, membersOf, pairIdOf } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'
import type { Codec } from '../eventstore/codec.ts'
import type { StoredEvent } from '../eventstore/events.ts'
import { later } from '../eventstore/position.ts'
import { backOff, withTimeout } from '../eventstore/retry.ts'
import { frameOf } from './connection.ts'
import type { Hub } from './hub.ts'
import type { RealtimeLimits } from './limits.ts'
import type { EventFrame } from './protocol.ts'
import { isPushed, namesFor, pushesOf } from './pushes/all-pushes.ts'
import type { Names, Push } from './pushes/push.ts'
import { pairOf, type Relationships, RIGHTS_EVENTS, Rights } from './rights.ts'
import { type Item, Ring } from './ring.ts'
import { answeringBuzzes, roomlessBlocks } from './silent.ts'
import type { EventSource } from './source.ts'

const NAMES_WITHIN_MS = 1_000
/** Changes whether a member shows their presence. */
const VISIBILITY_EVENTS = new Set(['VisibilityChanged', 'VisibilityModeChanged'])
const rightsEvents: ReadonlySet<string> = new Set(RIGHTS_EVENTS)
const isRights = (event: RecordedEvent): event is RecordedEvent<(typeof RIGHTS_EVENTS)[number]> =>
  rightsEvents.has(event.type)

export type FollowerDeps = {
  readonly source: EventSource
  readonly codec: Pick<Codec, 'decode'>
  /** The relationships of the read model that the node starts from. */
  readonly relationships: () => Promise<Relationships>
  /** First names of members; who is gone has none. */
  readonly namesOf: (members: readonly MemberId[]) => Promise<Names>
  /** The member's key is destroyed: copies of it go. */
  readonly forget?: (member: MemberId) => void
  /** A line of the program's log; never personal data. */
  readonly logLine: (line: string) => void
  readonly limits: RealtimeLimits
  readonly hub: Hub
  readonly visibilityChanged: (member: MemberId) => void
  readonly matched: (members: readonly [MemberId, MemberId]) => void
  /** The log has events of a later release, without which this node knows nobody's rights any more. */
  readonly outdated: () => void
}

/** Follows the log, folds who may see what, keeps what was pushed, and pushes it. */
export class Follower {
  rights!: Rights
  ring!: Ring
  epoch = ''
  head!: Position
  /** Where the log last changed who shows their presence, as far as this node knows. */
  visibilityAt!: Position
  skipped = 0
  private rightsFrom!: Position
  /** Ends a start that cannot come to its end. */
  private giveUp: (why: unknown) => void = () => undefined
  private readonly stopping = new AbortController()
  private running: Promise<void> = Promise.resolve()

  constructor(private readonly deps: FollowerDeps) {}

  /** Resolves once the ring is filled and the rights have reached the end of the log. */
  async start(): Promise<void> {
    const { source, relationships, limits } = this.deps
    const since = new Date(Date.now() - limits.ringMs)
    const [floor, state, epoch] = await Promise.all([
      source.earlierPosition(limits.fillEvents, since),
      relationships(),
      source.epoch(),
    ])
    const end = await source.head()
    this.epoch = epoch
    this.rights = new Rights(state)
    this.rightsFrom = state.position
    this.ring = new Ring(floor, limits)
    this.head = later(floor, state.position) === floor ? state.position : floor
    await new Promise<void>((resolve, reject) => {
      if (this.head >= end) resolve()
      this.giveUp = reject
      this.running = this.run(() => this.head >= end && resolve()).catch(reject)
    })
    this.visibilityAt = this.head
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  private async run(reached: () => void): Promise<void> {
    const { signal } = this.stopping
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        for await (const batch of this.deps.source.follow(this.head, signal)) {
          await this.take(batch)
          attempt = 0
          reached()
        }
      } catch (error) {
        this.deps.logLine(`realtime: following the log failed, again soon: ${nameOf(error)}`)
        if (nameOf(error) === 'TooNewEvent') {
          this.giveUp(error)
          this.deps.outdated()
        }
      }
      if (!signal.aborted) await backOff(attempt, signal)
    }
  }

  private async take(batch: readonly StoredEvent[]): Promise<void> {
    const stored = batch.filter(({ type, position }) => position > this.head && isFollowed(type))
    const events = await this.decode(stored)
    const names = await this.names(events)
    const silent = await this.silent(events)
    for (const event of events) {
      this.head = event.position
      try {
        this.apply(event, names, silent)
      } catch (error) {
        this.skipped++
        this.deps.logLine(`realtime: could not push ${event.type} ${event.id}: ${nameOf(error)}`)
      }
    }
    const last = batch.at(-1)
    if (last && last.position > this.head) this.head = last.position
    this.ring.trim(Date.now())
  }

  /** One event that cannot be read is left out; it never holds up the others. */
  private async decode(stored: readonly StoredEvent[]): Promise<RecordedEvent[]> {
    if (stored.length === 0) return []
    try {
      return (await this.deps.codec.decode(stored)) as RecordedEvent[]
    } catch (error) {
      if (stored.length > 1) {
        const middle = stored.length >> 1
        return [...(await this.decode(stored.slice(0, middle))), ...(await this.decode(stored.slice(middle)))]
      }
      if ((error as Error).name !== 'UndecodableEvent') throw error
      this.skipped++
      this.deps.logLine(`realtime: left out ${stored[0]!.type} ${stored[0]!.id}`)
      return []
    }
  }

  /** Without an answer in time the news goes out without the name; the page reads it from its loader. */
  private async names(events: readonly RecordedEvent[]): Promise<Names> {
    const wanted = new Set(events.flatMap((event) => (this.isNew(event) ? namesFor(event) : [])))
    if (wanted.size === 0) return new Map()
    return withTimeout(this.deps.namesOf([...wanted]), NAMES_WITHIN_MS).catch(() => new Map())
  }

  /** Events that push nothing, by id. A block's room is known by its stream where it is older than the rights' own start. */
  private async silent(events: readonly RecordedEvent[]): Promise<ReadonlySet<string>> {
    const news = events.filter(this.isNew)
    const older = news.filter((event) => event.type === 'Blocked' && !this.folds(event))
    const found = await Promise.all([roomlessBlocks(older, this.deps.source), answeringBuzzes(news, this.deps.source)])
    return new Set(found.flat())
  }

  /** Newer than what the ring begins with: it is pushed. */
  private isNew = (event: RecordedEvent): boolean => event.position > this.ring.floor
  /** Newer than the relationships that the rights began with. */
  private folds = (event: RecordedEvent): boolean => event.position > this.rightsFrom

  private apply(event: RecordedEvent, names: Names, silent: ReadonlySet<string>): void {
    const roomless = event.type === 'Blocked' && this.folds(event) && !this.rights.open(pairOf(event))
    if (isRights(event) && this.folds(event)) this.rights.fold(event)
    if (this.isNew(event)) {
      this.retract(event)
      if (!roomless && !silent.has(event.id)) this.push(event, pushesOf(event, names))
    }
    this.act(event)
  }

  /** What was pushed of an unmatched pair, of a withdrawn buzz and of an erased member is not pushed again. */
  private retract(event: RecordedEvent): void {
    const { ring } = this
    if (event.type === 'Blocked' || event.type === 'Unmatched') {
      const pair = pairOf(event)
      for (const member of membersOf(pair)) ring.retract(member, (item) => item.about?.pair === pair)
    }
    if (event.type === 'BuzzWithdrawn') {
      const pair = pairIdOf(event.from, event.to)
      ring.retract(event.to, (item) => item.about?.pair === pair)
    }
    if (event.type === 'AccountErased') ring.retractAll((item) => item.about?.pair.includes(event.member) ?? false)
  }

  private push(event: RecordedEvent, pushes: readonly Push[]): void {
    const at = event.recordedAt
    const items = pushes.flatMap((push) => {
      const item = itemOf(event, push)
      return push.to.map((member): [MemberId, Item] => [member, item])
    })
    this.ring.add(event.position, at.getTime(), items)
    for (const [member, item] of items) if (this.allows(item)) this.deps.hub.deliver(member, item)
  }

  /** Rights as they are at this moment, also for what is replayed. */
  allows({ about }: Item): boolean {
    if (!about) return true
    // Of who is deactivated or suspended no page shows anything either.
    if (membersOf(about.pair).some((member) => this.rights.isOut(member))) return false
    return about.needs === 'open' ? this.rights.open(about.pair) : !this.rights.blocked(about.pair)
  }

  private act(event: RecordedEvent) {
    const { hub, forget, visibilityChanged, matched } = this.deps
    switch (event.type) {
      case 'Matched':
        return matched(event.members)
      case 'SessionsRevoked':
        return hub.signOut(event.member, event.sessions)
      case 'AccountErased':
        forget?.(event.member)
        return hub.signOut(event.member)
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

const isFollowed = (type: string): boolean =>
  isPushed(type) || rightsEvents.has(type) || VISIBILITY_EVENTS.has(type) || type === 'BuzzWithdrawn'

function itemOf(event: RecordedEvent, push: Push): Item {
  const { name, id, data, about } = push
  const frame = { type: 'event', name, id, pos: event.position, at: event.recordedAt.toISOString(), data } as EventFrame
  return { pos: event.position, about, frame: frameOf(frame) }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
