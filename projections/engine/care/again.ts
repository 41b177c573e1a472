import type pg from 'pg'
import { eventsByCategory } from '../../../domain/all-events.ts'
import { type Position, START } from '../../../domain/shared/recorded.ts'
import { type Codec, UndecodableEvent } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Projection } from '../../projection.ts'
import { readable } from '../apply.ts'
import { goesAhead } from '../batch-processor.ts'
import { idOf, SAME, type Target } from '../checkpoints.ts'
import { type Decoded, decodeAll } from '../decoding.ts'
import { hasExpiry } from '../expiry/clock.ts'
import { type End, endsOf, unknownEnd } from '../expiry/ends.ts'
import { changesOf, handles } from '../fold.ts'
import { isSound } from '../quarantine.ts'
import { Beside, type BesideLog } from './beside.ts'
import { erasingAgain } from './erased-again.ts'
import type { QuarantinedKey } from './quarantined-keys.ts'
import { inLogOrder, storedOf, type WaitingRow, waitingBehind } from './waiting-events.ts'

export type RetryDeps = {
  readonly pool: pg.Pool
  readonly log: BesideLog
  readonly codec: Pick<Codec, 'decode'>
  /** Events that are applied in one transaction, and those of members that are done again with each. */
  readonly part?: number
  readonly beside?: number
}

const BESIDE = 2_000
/** Events of a stream that are looked at for one that the projection handles. */
const LOOKED_BACK = 500

type Db = Pick<pg.ClientBase, 'query'>

/** What is done again with each part of a retry: it was applied before it, though it comes after it. */
export class Again {
  private readonly beside: Beside
  private outOfTurn = false
  /** The key's rows have seen events before those that wait. */
  private hasBefore: boolean | undefined
  /** What waits and goes ahead: the last of those that do the same, and each that could not be applied as it came. */
  private readonly ahead = new Map<string, Decoded>()
  /** Ids of the latter. */
  private readonly undone = new Set<string>()
  private aheadTo: Position = START
  /** Of rows that the key's events make, those before what waits among them. */
  private readonly ends: End[] = []
  private clock: Date | null = null
  private readonly decodedBeside = new Map<string, Decoded>()

  constructor(
    private readonly deps: RetryDeps,
    private readonly projection: Projection,
    private readonly quarantined: QuarantinedKey,
  ) {
    const first = quarantined.events[0]?.stored.position ?? START
    this.beside = new Beside(deps.log, projection, quarantined.key, first, deps.beside ?? BESIDE)
  }

  /** Rows may differ from those of a rebuild. */
  get incomplete(): boolean {
    return this.outOfTurn || this.beside.incomplete
  }

  /** With no rows: what could not be applied as it came, and what comes with that. */
  async of(db: Db, live: Target, rows: readonly WaitingRow[]): Promise<readonly Decoded[]> {
    await this.lookAhead(db, live)
    this.clock = live.clock
    if (rows.length === 0 && ![...this.ahead.values()].some(({ stored }) => this.undone.has(stored.id))) return []
    const last = rows[rows.length - 1]?.position ?? START
    const known = [...this.ahead.values()].filter(({ stored }) => stored.position > last)
    const ahead = inLogOrder(known.map(({ stored }) => stored))
    const first = (rows[0] ?? ahead[0]!).position
    const done = (await this.beside.read()).filter(({ position }) => position > first && position <= live.position)
    const inQuarantine = await waitingAmong(db, live, [...ahead, ...done])
    const due = done.filter(({ id, type }) => !inQuarantine.has(id) || goesAhead(this.projection, type))
    return [...known.filter(({ stored }) => inQuarantine.has(stored.id)), ...(await this.decoded(due))]
  }

  private async decoded(beside: readonly StoredEvent[]): Promise<Decoded[]> {
    const fresh = beside.filter(({ id }) => !this.decodedBeside.has(id))
    for (const one of await decodeAll(this.deps.codec, fresh)) this.decodedBeside.set(one.stored.id, one)
    return beside.map(({ id }) => this.decodedBeside.get(id)!)
  }

  /** The projection, as it makes rows of these events: of a pair's, an erasure was done as it came. */
  applying(events: readonly Decoded[]): Projection {
    if (this.beside.isNone) return this.projection
    const read = events.flatMap(({ event }) => (event instanceof UndecodableEvent ? [] : [event]))
    return erasingAgain(this.projection, read)
  }

  /** Those of what is done again that could not be applied before. */
  firstDone(again: readonly Decoded[]): readonly StoredEvent[] {
    return again.flatMap(({ stored }) => (this.undone.has(stored.id) ? [stored] : []))
  }

  /** True for what could not be applied as it came: it protects nobody yet. */
  leaveOut({ id }: StoredEvent): boolean {
    return this.ahead.delete(id)
  }

  /**
   * Events of a part were applied, and these with them. What pairs do to the rows of one member's key is not done again; what members
   * do to those of a pair is, and may have met other rows than it meets in its turn. What is written whole is the same.
   */
  note(waiting: readonly Decoded[], again: readonly Decoded[]): void {
    const { projection, beside } = this
    this.hasBefore ||= waiting.length > 0
    const own = eventsByCategory.pair.some(({ type }) => handles(projection, type)) ? [...waiting, ...again] : []
    const events = beside.isNone ? own : again.filter(({ stored }) => !goesAhead(projection, stored.type))
    for (const one of again) if (this.undone.delete(one.stored.id)) this.keep(one)
    this.ends.push(...endsOf(projection, waiting))
    this.outOfTurn ||= this.hasMetEnded()
    this.outOfTurn ||= changesOf(projection, events.map(readable)).some((change) => !('key' in change && change.whole))
  }

  /** What it takes to know whether a row may have ended. */
  async lookBack(): Promise<void> {
    const first = this.quarantined.events[0]?.stored
    if (!first || this.hasBefore !== undefined) return
    const { revision } = first
    const page =
      revision > 0 ? await this.deps.log.read(first.stream, 0, undefined, Math.min(revision, LOOKED_BACK)) : []
    const isBefore = ({ type, position }: StoredEvent) => handles(this.projection, type) && position < first.position
    const before = page.filter(isBefore)
    this.hasBefore = revision > LOOKED_BACK || before.length > 0
    if (!hasExpiry(this.projection)) return
    if (revision > LOOKED_BACK) this.ends.push(unknownEnd(START))
    this.ends.push(...endsOf(this.projection, await decodeAll(this.deps.codec, before)))
  }

  /**
   * What goes ahead may have met a row that has ended, where what waits would have kept it, or keeps one that ought to have ended
   * before it.
   */
  private hasMetEnded(): boolean {
    return this.ends.some(({ position, end }) => position < this.aheadTo && this.clock !== null && end <= this.clock)
  }

  /** A row is not there that may have ended before the events that it ought to meet: only those before them can have made it. */
  noteMissing(): void {
    this.outOfTurn ||= this.hasBefore === true
  }

  private async lookAhead(db: Db, live: Target): Promise<void> {
    const { projection, quarantined } = this
    const types = Object.keys(projection.when).filter((type) => goesAhead(projection, type))
    const rows = await waitingBehind(db, live, quarantined.key, this.aheadTo, types)
    this.aheadTo = rows[rows.length - 1]?.position ?? this.aheadTo
    const stands = new Set(rows.filter(({ reason }) => isSound(reason)).map(({ event_id }) => event_id))
    for (const one of await decodeAll(this.deps.codec, await storedOf(this.deps.log, rows))) {
      const { id, type } = one.stored
      if (!stands.has(id)) this.undone.add(id)
      // An erasure is never left out.
      if (stands.has(id) || type === 'AccountErased') this.keep(one)
      else this.ahead.set(id, one)
    }
  }

  /** What stands, or has to, in the place of an earlier one that does the same. */
  private keep(one: Decoded): void {
    const { id, position } = one.stored
    const what = effectOf(one)
    const known = this.ahead.get(what)
    this.ahead.delete(id)
    if (!known || known.stored.position < position) this.ahead.set(what, one)
  }
}

/** In which two events differ that do the same. */
const OWN: ReadonlySet<string> = new Set(['id', 'stream', 'revision', 'position', 'recordedAt', 'meta', 'at'])

/** The same for events that do the same, however often it was encrypted. */
function effectOf({ stored, event }: Decoded): string {
  if (event instanceof UndecodableEvent) return stored.id
  return JSON.stringify(Object.entries(event).filter(([field]) => !OWN.has(field)))
}

/** The ids of those that wait themselves. */
async function waitingAmong(db: Db, target: Target, events: readonly StoredEvent[]): Promise<Set<string>> {
  const { rows } = await db.query<{ event_id: string }>(
    `select event_id from app.quarantine where ${SAME} and event_id = any($4)`,
    [...idOf(target), events.map(({ id }) => id)],
  )
  return new Set(rows.map(({ event_id }) => event_id))
}
