import type { DomainEvent } from '../../../domain/all-events.ts'
import { DEFAULT_PREFERENCES } from '../../../domain/profile/fields.ts'
import {
  type AddressId,
  type MediaId,
  type MemberId,
  type MessageId,
  pairIdOf,
  type ReportId,
  type SessionId,
} from '../../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../../eventstore/ids.ts'
import { positionOf } from '../../../eventstore/position.ts'
import { createChance } from '../../../server/demo/random.ts'

/** One event at its place in the log, counted from 1, and in its stream, counted from 0. */
export type Mixed = {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly event: DomainEvent
}

/** One member for so many events. */
const EVENTS_EACH = 60
const STARTED_AT = Date.parse('2026-01-01T00:00:00Z')
const EVENT_EVERY_MS = 700
const WORDS = 'so I went up the hill with both of them and it rained but we laughed all the way home again'.split(' ')

export const memberOf = (n: number) => idFrom('mix', n) as MemberId
export const membersIn = (events: number) => Math.max(20, Math.ceil(events / EVENTS_EACH))

type Pair = { readonly a: number; readonly b: number; matched: boolean; number: number; asked: number }
type Facts = readonly (readonly [stream: string, ...events: DomainEvent[]])[]

/**
 * What members write, in about the shares of a day of the product: mostly messages and skips, members who join all the time,
 * a few whom everybody knows, and now and then a block, a report or an erasure. The same for the same number.
 */
export class Mix {
  private readonly chance = createChance(42)
  private readonly revisions = new Map<string, number>()
  private readonly pairs = new Map<number, Pair>()
  private readonly matches: Pair[] = []
  private readonly gone = new Set<number>()
  private joined = 0
  private count = 0

  constructor(private readonly events: number) {}

  /** Members whose accounts were erased so far. */
  get erased(): readonly MemberId[] {
    return [...this.gone].map(memberOf)
  }

  *all(): Generator<Mixed> {
    while (this.count < this.events) {
      for (const [stream, ...events] of this.next()) {
        for (const event of events) if (this.count < this.events) yield this.mixed(stream, event)
      }
    }
  }

  private mixed(stream: string, event: DomainEvent): Mixed {
    const revision = this.revisions.get(stream) ?? 0
    this.revisions.set(stream, revision + 1)
    return { position: ++this.count, stream, revision, event }
  }

  private get at(): Date {
    return new Date(STARTED_AT + this.count * EVENT_EVERY_MS)
  }

  private below = (most: number) => Math.floor(this.chance.next() * most)

  private next(): Facts {
    const due = membersIn(this.events) * Math.min(1, 0.1 + this.count / this.events)
    if (this.joined < 10 || this.joined < Math.floor(due)) return this.join(this.joined++)
    const share = this.below(1_000)
    if (share < 330) return this.converse()
    if (share < 610) return this.skip()
    if (share < 800) return this.buzz()
    if (share < 880) return this.readAll()
    if (share < 970) return this.change()
    if (share < 990) return this.signIn()
    if (share < 995) return this.part()
    return share < 998 ? this.report() : this.erase()
  }

  /** Some are known by many. */
  private anyone(): number {
    for (;;) {
      const n = Math.floor(this.joined * this.chance.next() ** 1.5)
      if (!this.gone.has(n)) return n
    }
  }

  private join(n: number): Facts {
    const [member, at, address] = [memberOf(n), this.at, idFrom('mix address', n) as AddressId]
    const until = new Date(at.getTime() + 600_000)
    const photo = (nth: number) => idFrom('mix photo', n, nth) as MediaId
    const shown = { kind: 'image', caption: 'by the sea', privacy: 'public' } as const
    const name = { firstName: `First${n}`, lastName: `Last${n}`, dob: '1996-05-17', phone: '' }
    const wants = { lookingFor: 'serious', interestedIn: ['male', 'female'], preferences: DEFAULT_PREFERENCES }
    return [
      [`email-${address}`, { type: 'EmailReserved', address, member, until, at }],
      [
        `member-${member}`,
        { type: 'MemberRegistered', member, email: `m${n}@example.com`, termsVersion: '1', demo: false, at },
      ],
      [`email-${address}`, { type: 'EmailConfirmed', address, member, at }],
      [
        `profile-${member}`,
        {
          type: 'ProfileStarted',
          member,
          ...name,
          ...wants,
          gender: n % 2 ? 'Female' : 'Male',
          interests: ['Music', 'Hiking'],
          visibilityMode: 'auto',
          at,
        },
      ],
      [
        `gallery-${member}`,
        ...[1, 2, 3].map((nth): DomainEvent => ({ type: 'MediaAdded', member, media: photo(nth), ...shown, at })),
        { type: 'AvatarChosen', member, media: photo(1), at },
      ],
    ]
  }

  private pairOf(): Pair | undefined {
    const [one, other] = [this.anyone(), this.anyone()]
    if (one === other) return undefined
    const [a, b] = one < other ? [one, other] : [other, one]
    const key = a * 2 ** 26 + b
    const known = this.pairs.get(key)
    if (known) return known
    const made: Pair = { a, b, matched: false, number: 0, asked: -1 }
    this.pairs.set(key, made)
    return made
  }

  private streamOf = ({ a, b }: Pair) => `pair-${pairIdOf(memberOf(a), memberOf(b))}`

  private sides(pair: Pair): [MemberId, MemberId] {
    const [a, b] = [memberOf(pair.a), memberOf(pair.b)]
    return this.below(2) ? [a, b] : [b, a]
  }

  /** A few messages of either, and who read them. */
  private converse(): Facts {
    const pair = this.matches[this.below(this.matches.length)]
    if (!pair?.matched || this.gone.has(pair.a) || this.gone.has(pair.b)) return []
    const [from, to] = this.sides(pair)
    const [stream, at] = [this.streamOf(pair), this.at]
    const turns = 1 + this.below(4)
    const events: DomainEvent[] = []
    for (let turn = 0; turn < turns; turn++) {
      const [one, other] = turn % 2 ? [to, from] : [from, to]
      const message = uuidFrom('mix', stream, ++pair.number) as MessageId
      events.push({
        type: 'MessageSent',
        message,
        number: pair.number,
        from: one,
        to: other,
        text: this.words(),
        media: null,
        at,
      })
      if (turn % 2 === 0)
        events.push({ type: 'MessagesRead', by: other, other: one, upTo: message, number: pair.number, at })
    }
    return [[stream, ...events]]
  }

  private words = () => Array.from({ length: 4 + this.below(14) }, () => WORDS[this.below(WORDS.length)]).join(' ')

  private skip(): Facts {
    const pair = this.pairOf()
    if (!pair || pair.matched) return []
    const [by, target] = this.sides(pair)
    const at = this.at
    return [[this.streamOf(pair), { type: 'Skipped', by, target, until: new Date(at.getTime() + 86_400_000), at }]]
  }

  /** Of two that are asked one answers, and it is a match. */
  private buzz(): Facts {
    const pair = this.pairOf()
    if (!pair || pair.matched || pair.asked >= 0) return []
    const [from, to] = this.sides(pair)
    const [at, stream] = [this.at, this.streamOf(pair)]
    pair.asked = this.count
    const asks: DomainEvent = { type: 'Buzzed', from, to, via: 'discover', at }
    if (this.below(2)) return [[stream, asks]]
    pair.matched = true
    this.matches.push(pair)
    return [
      [
        stream,
        asks,
        { type: 'Buzzed', from: to, to: from, via: 'notification', at },
        { type: 'Matched', members: [from, to], at },
      ],
    ]
  }

  private readAll(): Facts {
    const member = memberOf(this.anyone())
    const all = { type: 'AllNotificationsRead', member, upTo: positionOf(this.count), notifications: null } as const
    return [[`inbox-${member}`, { ...all, at: this.at }]]
  }

  private change(): Facts {
    const [member, at] = [memberOf(this.anyone()), this.at]
    const changes: readonly DomainEvent[] = [
      { type: 'BioChanged', member, bio: this.words(), at },
      { type: 'InterestsSet', member, interests: ['Music', 'Cooking', 'Travel'], at },
      { type: 'PlaceChanged', member, city: 'Lisbon', state: 'Lisboa', location: 'Portugal', at },
      { type: 'VibeChanged', member, vibe: 'casual', at },
      { type: 'VisibilityChanged', member, visibility: this.below(2) ? 'active' : 'invisible', at },
    ]
    return [[`profile-${member}`, changes[this.below(changes.length)]!]]
  }

  private signIn(): Facts {
    const [member, at] = [memberOf(this.anyone()), this.at]
    const sessions = [idFrom('mix session', this.count) as SessionId]
    const event: DomainEvent = this.below(2)
      ? { type: 'SignedInOnNewDevice', member, at }
      : { type: 'SessionsRevoked', member, sessions, at }
    return [[`member-${member}`, event]]
  }

  /** An unmatch or a block of two who had matched. */
  private part(): Facts {
    const pair = this.matches[this.below(this.matches.length)]
    if (!pair?.matched) return []
    pair.matched = false
    const [by, target] = this.sides(pair)
    const type = this.below(2) ? 'Unmatched' : 'Blocked'
    return [[this.streamOf(pair), { type, by, target, at: this.at }]]
  }

  private report(): Facts {
    const [by, target] = [memberOf(this.anyone()), memberOf(this.anyone())]
    if (by === target) return []
    const report = idFrom('mix report', this.count) as ReportId
    const evidence = { profile: { firstName: 'First', bio: this.words(), photos: [] }, messages: [] }
    const what = { message: null, media: null, reason: 'spam', evidence }
    return [[`report-${report}`, { type: 'MemberReported', report, by, target, ...what, at: this.at }]]
  }

  private erase(): Facts {
    const n = this.anyone()
    // Those whom everybody knows stay, and with them most of what is written.
    if (n < this.joined / 4) return []
    this.gone.add(n)
    const [member, at] = [memberOf(n), this.at]
    const certified: DomainEvent = { type: 'ErasureCertified', member, keyDestroyedAt: at, places: 40, at }
    return [[`member-${member}`, { type: 'AccountErased', member, at }, certified]]
  }
}
