import { setMaxListeners } from 'node:events'
import { type MemberId, membersOf, otherOf, type PairId, type SessionId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { backOff } from '../../eventstore/retry.ts'
import { Accounts } from './accounts.ts'
import type { Change, PairChange } from './changes.ts'
import { FarBehind } from './far-behind.ts'
import { History } from './history.ts'
import { AT_ONCE, type Batch, Loader, type ReadRights, type Relationships } from './loader.ts'
import { RevokedSessions } from './revoked-sessions.ts'

export type RightsLimits = {
  /** How long the rights of a member are kept without a socket, and of how many at most. */
  readonly rightsIdleMs: number
  readonly rightsIdle: number
  /** Changes that a node remembers for rows that are behind it. */
  readonly rightsChanges: number
}

export type RightsDeps = {
  readonly readRights: ReadRights
  /** A line of the program's log; never personal data. */
  readonly logLine: (line: string) => void
  /** What could not be known, because the read models were too far behind, can be again. */
  readonly caughtUp?: () => void
  readonly limits: RightsLimits
}

/** A member who has a socket here, or had one lately. `relationships` is undefined until they are loaded. */
type Present = {
  sockets: number
  relationships?: Relationships
  /** Everybody whose account this member's rights depend on. */
  readonly watched: Set<MemberId>
  loaded: Promise<void>
}

/**
 * Matches, blocks and account states of the members with sockets at this node: loaded when a member comes, folded from
 * the log from there on, dropped some time after the last socket. What is not known allows nothing.
 */
export class Rights {
  private readonly present = new Map<MemberId, Present>()
  /** Without sockets, in the order in which they left, and when in milliseconds. */
  private readonly idle = new Map<MemberId, number>()
  private readonly revoked = new RevokedSessions()
  private readonly history: History
  private readonly accounts: Accounts
  private readonly loader: Loader
  private readonly farBehind: FarBehind
  private readonly stopping = new AbortController()

  /** `from` is where the node begins to fold. */
  constructor(
    from: Position,
    private readonly deps: RightsDeps,
  ) {
    this.history = new History(from, deps.limits.rightsChanges)
    this.accounts = new Accounts(this.history)
    this.loader = new Loader(deps.readRights)
    setMaxListeners(0, this.stopping.signal)
    this.farBehind = new FarBehind({
      look: async () => this.fits(await this.loader.ask({ members: [], accounts: [] })),
      ended: () => void this.learnUnknown(),
      logLine: deps.logLine,
      signal: this.stopping.signal,
    })
  }

  stop(): void {
    this.stopping.abort()
  }

  /** Members whose rights are in memory, and accounts that these depend on. */
  get size(): { members: number; accounts: number } {
    return { members: this.present.size, accounts: this.accounts.size }
  }

  /** One more socket of the member. Resolves once their rights are known; rejects when the node stops before. */
  enter(member: MemberId): Promise<void> {
    this.idle.delete(member)
    let present = this.present.get(member)
    if (!present) {
      present = { sockets: 0, watched: new Set(), loaded: Promise.resolve() }
      this.present.set(member, present)
      present.loaded = this.load(member, present)
      present.loaded.catch(() => undefined)
    }
    present.sockets++
    return present.loaded
  }

  leave(member: MemberId): void {
    const present = this.present.get(member)
    if (!present || --present.sockets > 0) return
    this.idle.set(member, performance.now())
    this.sweep(performance.now())
  }

  /** Drops who has been without a socket for long, and who of those are too many; `now` in milliseconds. */
  sweep(now: number): void {
    const { rightsIdle, rightsIdleMs } = this.deps.limits
    for (const [member, since] of this.idle) {
      if (this.idle.size <= rightsIdle && now - since < rightsIdleMs) return
      this.drop(member)
    }
  }

  /** Whether what is about the two can be decided for a member who is here; always for one who is not. */
  knows(member: MemberId, other: MemberId): boolean {
    const present = this.present.get(member)
    return !present?.relationships || this.accounts.isActive(other) !== undefined
  }

  /** What is not known of others cannot be for now: it is left out, and allows nothing. */
  get cannotKnow(): boolean {
    return this.farBehind.is
  }

  /** Resolves once the accounts of others are known or cannot be, or the member is not here; rejects when the node stops before. */
  async know(member: MemberId, others: readonly MemberId[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      this.stopping.signal.throwIfAborted()
      const present = this.present.get(member)
      if (!present) return
      for (const other of others) this.watch(member, present, other)
      const unknown = others.filter((other) => this.accounts.isActive(other) === undefined)
      if (unknown.length === 0 || this.cannotKnow) return
      const batch = await this.ask({ members: [], accounts: unknown })
      if (batch) this.learn(unknown, batch)
      else await backOff(attempt, this.stopping.signal)
    }
  }

  /** The room of the two is open to the member: they are matched, none blocked the other and both accounts are active. */
  open(member: MemberId, other: MemberId): boolean {
    return this.isMatched(member, other) && this.unblocked(member, other)
  }

  /** None of the two blocked the other and both accounts are active. */
  unblocked(member: MemberId, other: MemberId): boolean {
    const known = this.present.get(member)?.relationships
    if (!known || known.blocks.has(other) || known.blockedBy.has(other)) return false
    return this.accounts.isActive(member) === true && this.accounts.isActive(other) === true
  }

  isMatched(member: MemberId, other: MemberId): boolean {
    return this.present.get(member)?.relationships?.matches.has(other) ?? false
  }

  matchesOf(member: MemberId): Iterable<MemberId> {
    return this.present.get(member)?.relationships?.matches ?? []
  }

  /** Members who are here and matched with another, whether or not that one is here. */
  *matchedHere(other: MemberId): Iterable<MemberId> {
    for (const member of this.accounts.watchersOf(other)) if (this.isMatched(member, other)) yield member
  }

  /** The account of a member who is here is not active. */
  isOut(member: MemberId): boolean {
    return this.accounts.isActive(member) === false
  }

  isRevoked(session: SessionId): boolean {
    return this.revoked.has(session)
  }

  /** Whether the two had a room before an event that is not folded yet; undefined where nobody here knows. */
  hadRoom(pair: PairId, before: Position): boolean | undefined {
    for (const member of membersOf(pair)) {
      const known = this.present.get(member)?.relationships
      if (known && known.from < before) return known.matches.has(otherOf(pair, member))
    }
    return undefined
  }

  /** Whether everything that was folded after the position is remembered. */
  remembers(position: Position): boolean {
    return position >= this.history.floor
  }

  /** What was folded after a position that is remembered. */
  changesAfter(position: Position): readonly Change[] {
    return this.history.after(position)
  }

  fold(change: Change): void {
    this.history.push(change)
    if ('other' in change) {
      this.relate(change.one, change)
      this.relate(change.other, change)
      return
    }
    this.accounts.fold(change)
    if (change.kind === 'erased')
      for (const member of this.accounts.watchersOf(change.one)) this.part(member, change.one)
  }

  revoke(sessions: readonly SessionId[]): void {
    this.revoked.add(sessions)
  }

  private async load(member: MemberId, present: Present): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      await this.farBehind.passed()
      this.stopping.signal.throwIfAborted()
      const batch = await this.ask({ members: [member], accounts: [] })
      if (this.present.get(member) !== present) return
      const relationships = batch?.of.get(member)
      if (batch && relationships) {
        this.install(member, present, relationships, batch)
        // Who became a match after the rows.
        return this.know(member, [...relationships.matches])
      }
      await backOff(attempt, this.stopping.signal)
    }
  }

  /** What nobody could be asked about while the read models were too far behind; then what was kept back may go. */
  private async learnUnknown(): Promise<void> {
    const unknown = this.accounts.unknown()
    for (let from = 0; from < unknown.length; from += AT_ONCE) {
      const some = unknown.slice(from, from + AT_ONCE)
      let batch: Batch | undefined
      for (let attempt = 0; !batch; attempt++) {
        batch = await this.ask({ members: [], accounts: some })
        if (this.stopping.signal.aborted || this.cannotKnow) return
        if (batch) this.learn(some, batch)
        else await backOff(attempt, this.stopping.signal)
      }
    }
    this.deps.caughtUp?.()
  }

  /** Rows, and what the node folded after their position: nothing between is lost, nothing up to it is folded again. */
  private install(member: MemberId, present: Present, relationships: Relationships, batch: Batch): void {
    present.relationships = relationships
    const active = [member, ...relationships.matches]
    for (const other of active) this.watch(member, present, other)
    this.learn(active, batch)
    for (const change of this.history.after(relationships.from)) {
      if ('other' in change) {
        if (change.one === member || change.other === member) this.relate(member, change)
      } else if (change.kind === 'erased') this.part(member, change.one)
    }
  }

  /** Undefined where it fails, or shows a past that the history does not reach back to. */
  private async ask(asked: Parameters<ReadRights>[0]): Promise<Batch | undefined> {
    try {
      const batch = await this.loader.ask(asked)
      if (this.fits(batch)) return batch
      this.farBehind.found()
      return undefined
    } catch (error) {
      const why = error instanceof Error ? error.name : 'unknown'
      this.deps.logLine(`realtime: rights could not be looked up, again soon: ${why}`)
      return undefined
    }
  }

  private fits({ relationsAt, accountsAt }: Batch): boolean {
    return this.remembers(relationsAt) && this.remembers(accountsAt)
  }

  private learn(members: readonly MemberId[], { accountsAt, out }: Batch): void {
    for (const member of members) this.accounts.learn(member, !out.has(member), accountsAt)
  }

  private relate(member: MemberId, { kind, one, other, position }: PairChange): void {
    const present = this.present.get(member)
    const known = present?.relationships
    if (!present || !known || position <= known.from) return
    const [them, blocks] = member === one ? [other, known.blocks] : [one, known.blockedBy]
    if (kind === 'matched') {
      known.matches.add(them)
      this.watch(member, present, them)
    } else if (kind !== 'unblocked') known.matches.delete(them)
    if (kind === 'blocked') blocks.add(them)
    if (kind === 'unblocked') blocks.delete(them)
  }

  /** An erased account is nobody's match, and comes back in no later rows. */
  private part(member: MemberId, erased: MemberId): void {
    this.present.get(member)?.relationships?.matches.delete(erased)
  }

  private watch(member: MemberId, present: Present, other: MemberId): void {
    present.watched.add(other)
    this.accounts.watch(other, member)
  }

  private drop(member: MemberId): void {
    this.idle.delete(member)
    const present = this.present.get(member)
    this.present.delete(member)
    for (const other of present?.watched ?? []) this.accounts.unwatch(other, member)
  }
}
