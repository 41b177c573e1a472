import type { RecordedEvent } from '../domain/all-events.ts'
import { type MemberId, membersOf, type PairId, pairIdOf, type SessionId } from '../domain/shared/ids.ts'
import type { Position } from '../domain/shared/recorded.ts'

/** Who was matched, blocked and shut out at a position of the log. `blocked` holds a pair whichever of the two blocked. */
export type Relationships = {
  readonly position: Position
  readonly matched: Iterable<readonly [MemberId, MemberId]>
  /** Directed: the first blocked the second. */
  readonly blocked: Iterable<readonly [MemberId, MemberId]>
  /** Whose accounts were not active. */
  readonly out: Iterable<MemberId>
}

/** Events that change who may see what. */
export const RIGHTS_EVENTS = [
  'Matched',
  'Unmatched',
  'Blocked',
  'Unblocked',
  'SessionsRevoked',
  'AccountDeactivated',
  'AccountReactivated',
  'AccountSuspended',
  'AccountReinstated',
  'AccountErased',
] as const
type RightsEvent = RecordedEvent<(typeof RIGHTS_EVENTS)[number]>

const REVOKED_KEPT = 100_000

/** Matches, blocks and ended sessions, folded from the log on top of the read model's relationships. */
export class Rights {
  private readonly matches = new Map<MemberId, Set<MemberId>>()
  private readonly blocks = new Set<string>()
  private readonly revoked = new Set<SessionId>()
  private readonly out = new Set<MemberId>()

  constructor({ matched, blocked, out }: Omit<Relationships, 'position'>) {
    for (const [a, b] of matched) this.match(a, b)
    for (const [by, target] of blocked) this.blocks.add(`${by}>${target}`)
    for (const member of out) this.out.add(member)
  }

  matched(a: MemberId, b: MemberId): boolean {
    return this.matches.get(a)?.has(b) ?? false
  }

  /** The room is open: its two are matched, and none blocked the other. */
  open(pair: PairId): boolean {
    const [a, b] = membersOf(pair)
    return this.matched(a, b) && !this.blocked(pair)
  }

  blocked(pair: PairId): boolean {
    const [a, b] = membersOf(pair)
    return this.blocks.has(`${a}>${b}`) || this.blocks.has(`${b}>${a}`)
  }

  matchesOf(member: MemberId): Iterable<MemberId> {
    return this.matches.get(member) ?? []
  }

  isRevoked(session: SessionId): boolean {
    return this.revoked.has(session)
  }

  /** By the log the account is not active; who was erased before the node started is not known here. */
  isOut(member: MemberId): boolean {
    return this.out.has(member)
  }

  fold(event: RightsEvent) {
    switch (event.type) {
      case 'Matched':
        return this.match(...event.members)
      case 'Unmatched':
        return this.unmatch(event.by, event.target)
      case 'Blocked':
        this.blocks.add(`${event.by}>${event.target}`)
        return this.unmatch(event.by, event.target)
      case 'Unblocked':
        return this.blocks.delete(`${event.by}>${event.target}`)
      case 'SessionsRevoked':
        return this.revoke(event.sessions)
      case 'AccountReactivated':
      case 'AccountReinstated':
        return this.out.delete(event.member)
      case 'AccountErased':
        for (const other of [...this.matchesOf(event.member)]) this.unmatch(event.member, other)
        return this.out.add(event.member)
      default:
        this.out.add(event.member)
    }
  }

  private match(a: MemberId, b: MemberId): void {
    this.setOf(a).add(b)
    this.setOf(b).add(a)
  }

  private unmatch(a: MemberId, b: MemberId): void {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const set = this.matches.get(one)
      set?.delete(other)
      if (set?.size === 0) this.matches.delete(one)
    }
  }

  private setOf(member: MemberId): Set<MemberId> {
    const set = this.matches.get(member) ?? new Set<MemberId>()
    this.matches.set(member, set)
    return set
  }

  private revoke(sessions: readonly SessionId[]): void {
    for (const session of sessions) this.revoked.add(session)
    for (const oldest of this.revoked) {
      if (this.revoked.size <= REVOKED_KEPT) break
      this.revoked.delete(oldest)
    }
  }
}

/** The pair that an event of two members is about. */
export const pairOf = (event: { by: MemberId; target: MemberId }): PairId => pairIdOf(event.by, event.target)
