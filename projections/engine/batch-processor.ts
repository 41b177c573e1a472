import type pg from 'pg'
import type { EventType } from '../../domain/all-events.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { TooNewEvent, UndecodableEvent } from '../../eventstore/codec.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import type { Projection } from '../projection.ts'
import { type Anchor, anchorOf } from './anchors.ts'
import { commitSteps, readable, type Step } from './apply.ts'
import { findLive, type Target } from './checkpoints.ts'
import type { Decode, Decoded } from './decoding.ts'
import { clockAfter } from './expiry/clock.ts'
import { concerns } from './fold.ts'
import { feederOf } from './leases.ts'
import { OwedFirst, PIECE } from './owed/owed.ts'
import { Debts } from './owed/pay.ts'
import { isPoison, reasonOf } from './poison.ts'
import {
  type Failed,
  isSound,
  KEYS_MOST,
  listFailed,
  partitionKeyOf,
  type Quarantined,
  quarantined,
  TooMuchPoison,
  waitsBehind,
  whyQuarantined,
} from './quarantine.ts'
import { belongs, type LogEnd } from './set-back.ts'

/** An event that ends a run which cannot take it. Names it, never its content. */
export class PoisonEvent extends Error {
  override name = 'PoisonEvent'
}

export type BatchProcessorDeps = {
  readonly pool: pg.Pool
  readonly decode: Decode
  readonly projection: Projection
  readonly keysMost?: number | undefined
  /** Rows of an erasure that are changed at once. */
  readonly piece?: number | undefined
  /** In milliseconds: a look for what erasures have left to later is given up behind it. */
  readonly silentMs?: number | undefined
}

/**
 * What becomes of a poisonous event: it `stops` the run unless another version is live and readers do without it already, or,
 * `as-live`, whichever version that is; or it is `quarantined` anyway.
 */
export type Poison = 'stops' | 'as-live' | 'quarantined'

/**
 * `owes`: erasures go in pieces, behind their checkpoint, for which the caller asks; otherwise at once. `until`:
 * what is paid before a batch ends with it, with its reason. `endOf`: of the log that tables are filled from, to which live may not
 * belong.
 */
export type Processing = {
  readonly poison: Poison
  readonly endOf?: () => Promise<LogEnd>
  readonly owes?: boolean
  readonly until?: AbortSignal
}

/**
 * `passed`: how many events of the log lie up to `to`, those included that do not concern the projection. `anchor`: the one at
 * `to`.
 */
type Part = {
  readonly events: readonly StoredEvent[]
  readonly to: Position
  readonly passed: number
  readonly anchor: Anchor
}

/**
 * Brings one target forward, batch by batch. Knows the target's position; a poisonous event is found by halving and
 * quarantined with the later ones of its key, or ends the run with PoisonEvent, as `Poison` has it. One of a later release
 * stops it there. Any other error leaves the checkpoint where it was.
 */
export class BatchProcessor {
  private readonly debts: Debts

  private constructor(
    private readonly deps: BatchProcessorDeps,
    public target: Target,
    private readonly how: Processing,
    private readonly quarantinedKeys: Map<string, string>,
    /** How many events are in quarantine. */
    public quarantined: number,
  ) {
    this.debts = new Debts({ ...deps, until: how.until }, () => this.target)
  }

  static async of(deps: BatchProcessorDeps, target: Target, how: Processing): Promise<BatchProcessor> {
    const { keys, events } = await quarantined(deps.pool, target)
    const processor = new BatchProcessor(deps, target, how, keys, events)
    await processor.debts.list()
    return processor
  }

  concerns(event: StoredEvent): boolean {
    return concerns(this.deps.projection, event)
  }

  /** What it makes of what comes after its position; null where nothing does. Throws where an event cannot be read. */
  async step(batch: readonly StoredEvent[], logId: string | null): Promise<Step | null> {
    const part = this.partOf(batch)
    return part && this.stepOf(part, logId)
  }

  /** The step is in the database. */
  settle({ to, logId, quarantined, clock, events }: Step): void {
    if (events.some(({ stored }) => stored.type === 'AccountErased')) this.debts.forget()
    this.quarantined += quarantined.length
    this.target = { ...this.target, position: to, logId: this.target.logId ?? logId, clock, error: null }
  }

  /** Applies what comes after the target's position. Throws CheckpointConflict when another process moved the checkpoint. */
  async take(batch: readonly StoredEvent[], logId: string | null): Promise<void> {
    const part = this.partOf(batch)
    if (part) await this.takePart(part, logId)
  }

  /** Erasures have left something to later, or that is not known yet. */
  get mayOwe(): boolean {
    return this.debts.mayBe
  }

  /** One piece of what erasures have left to later; false when nothing is left. Where it has to look first, it waits until `sooner`. */
  payPiece(sooner?: Promise<unknown>): Promise<boolean> {
    return this.debts.payPiece(sooner)
  }

  /** All of it. */
  payAll(): Promise<void> {
    return this.debts.payAll()
  }

  private partOf(batch: readonly StoredEvent[]): Part | null {
    const fresh = batch.filter((event) => event.position > this.target.position)
    const last = fresh[fresh.length - 1]
    if (!last) return null
    const events = fresh.filter((event) => this.concerns(event))
    return { events, to: last.position, passed: fresh.length, anchor: anchorOf(last) }
  }

  private async takePart(part: Part, logId: string | null): Promise<void> {
    try {
      await this.commitPart(part, logId)
    } catch (error) {
      const { events, passed } = part
      const tooNew = error instanceof TooNewEvent
      if (!(isPoison(error) || tooNew) || events.length === 0) throw error
      if (events.length === 1 && tooNew) throw error
      if (events.length === 1) return this.quarantineOne(events[0]!, error, part, logId)
      const middle = events.length >> 1
      const first = events.slice(0, middle)
      const anchor = anchorOf(first[first.length - 1]!)
      await this.takePart({ events: first, to: anchor.position, passed: middle, anchor }, logId)
      await this.takePart({ ...part, events: events.slice(middle), passed: passed - middle }, logId)
    }
  }

  /** What is owed and meets this part is paid before it. */
  private async commitPart(part: Part, logId: string | null): Promise<void> {
    if (!this.how.owes) await this.payAll()
    const step = await this.stepOf(part, logId)
    try {
      await this.commit(step)
    } catch (error) {
      if (!(error instanceof OwedFirst)) throw error
      // Nothing is owed: changes of this part meet one another.
      if (!this.debts.mayBe) return this.commit({ ...step, owing: undefined })
      await (error.number === undefined ? this.payAll() : this.debts.payUpTo(error.number))
      await this.commitPart(part, logId)
    }
  }

  private async commit(step: Step): Promise<void> {
    await commitSteps(this.deps.pool, [step])
    this.settle(step)
  }

  private async stepOf({ events, to, passed, anchor }: Part, logId: string | null): Promise<Step> {
    const { target } = this
    const { decode, projection, piece = PIECE } = this.deps
    const waiting = events.flatMap((stored): Quarantined[] => {
      const first = this.quarantinedKeys.get(partitionKeyOf(stored))
      return first === undefined ? [] : [{ stored, reason: waitsBehind(first) }]
    })
    const goes = (stored: StoredEvent) =>
      !this.quarantinedKeys.has(partitionKeyOf(stored)) || goesAhead(projection, stored.type)
    const going = waiting.length === 0 ? events : events.filter(goes)
    const decoded: Decoded[] = going.length > 0 ? await decode(going) : []
    const unread = decoded.find(({ event }) => event instanceof UndecodableEvent)
    if (unread) throw unread.event
    const clock = clockAfter(projection, target.clock, decoded.map(readable))
    const owing = this.how.owes ? { owed: await this.debts.list(), most: piece } : undefined
    const move = { target, to, logId, passed, clock, anchor }
    return { ...move, projection, events: decoded, quarantined: waiting, waiting, owing }
  }

  private async quarantineOne(stored: StoredEvent, error: unknown, part: Part, logId: string | null): Promise<void> {
    const reason = reasonOf(error)
    if (this.how.poison !== 'quarantined' && !(await this.isMissingInLive(stored))) {
      const { type, id, stream, revision } = stored
      throw new PoisonEvent(`${this.target.name}: ${type} ${id} (${stream}@${revision}): ${reason}`, { cause: error })
    }
    const isNew = !this.quarantinedKeys.has(partitionKeyOf(stored))
    if (isNew && this.quarantinedKeys.size >= (this.deps.keysMost ?? KEYS_MOST))
      throw new TooMuchPoison(
        `${this.quarantinedKeys.size} members or pairs are in quarantine; the next one: ${reason}`,
      )
    const empty = await this.stepOf({ ...part, events: [], passed: 1 }, logId)
    await this.commit({ ...empty, quarantined: [{ stored, reason }] })
    if (isNew) this.quarantinedKeys.set(partitionKeyOf(stored), stored.id)
  }

  /**
   * Live has it in quarantine and not in its rows, does not come to it since nobody feeds it, or is of another log or of what this one
   * was before it was set back.
   */
  private async isMissingInLive(stored: StoredEvent): Promise<boolean> {
    const { pool, projection } = this.deps
    const live = await findLive(pool, this.target.name)
    if (!live || (live.version === this.target.version && this.how.poison === 'stops')) return false
    const reason = await whyQuarantined(pool, live, stored)
    if (reason !== null) return !isApplied(projection, live, { type: stored.type, reason })
    if (await this.isOfAnotherLog(live)) return true
    return live.position < stored.position && (await feederOf(pool, live.name)) === null
  }

  /** Live has come to an event meanwhile and applied it, which is in quarantine here. */
  async lacksOfLive(): Promise<boolean> {
    const { pool, projection } = this.deps
    if (this.how.poison === 'quarantined') return false
    const live = await findLive(pool, this.target.name)
    if (!live || (await this.isOfAnotherLog(live))) return false
    return (await listFailed(pool, this.target, live)).some((one) => isApplied(projection, live, one))
  }

  /** Where the log ends is asked for once live was seen, which is nowhere behind it. */
  private async isOfAnotherLog(live: Target): Promise<boolean> {
    return this.how.endOf !== undefined && !belongs(live, await this.how.endOf())
  }
}

/** The rows of tables have the event, which they may have in quarantine beside that: it has gone ahead of what it waits behind. */
function isApplied(projection: Projection, { version }: Pick<Target, 'version'>, { type, reason }: Failed): boolean {
  if (reason === null) return true
  return isSound(reason) && goesAhead({ ...projection, version }, type)
}

/**
 * What an erasure takes away goes at once, also from rows that other events of its key have not reached (ruling R26), and so
 * does what a read model names. They wait with the others beside that, so that a retry of the key ends with them too.
 */
export function goesAhead({ ahead = {}, version }: Pick<Projection, 'ahead' | 'version'>, type: string): boolean {
  const since = ahead[type as EventType]
  return type === 'AccountErased' || (since !== undefined && since <= version)
}
