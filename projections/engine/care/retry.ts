import type pg from 'pg'
import { UndecodableEvent } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Projection } from '../../projection.ts'
import { type Applying, applyEvents, readable } from '../apply.ts'
import { findTarget, idOf, lockTarget, SAME, type Target } from '../checkpoints.ts'
import { type Decoded, decodeAll } from '../decoding.ts'
import { listOwed } from '../owed/owed.ts'
import { Debts } from '../owed/pay.ts'
import { isPoison, reasonOf } from '../poison.ts'
import { GIVES_WAY, inTransaction } from '../transaction.ts'
import { Again, type RetryDeps } from './again.ts'
import type { QuarantinedKey } from './quarantined-keys.ts'
import { firstWaiting, noteApplied, noteReason, storedOf, type WaitingRow } from './waiting-events.ts'

/**
 * `gone`: events that left quarantine because the log no longer has them. `reason`: why what is left is still in quarantine.
 * `incomplete`: rows may differ from those of a rebuild.
 */
export type Retried = {
  readonly quarantined: QuarantinedKey
  readonly applied: number
  readonly gone: number
  readonly reason: string | null
  readonly incomplete: boolean
}

/** Others wait for one part, which takes a fraction of a second. */
const PART = 300

/**
 * Applies the events of a key in order, and releases it with the last one; a projector that has it in memory finds that out
 * with its next event. Each part is a transaction of its own with what it releases, so that others wait for no more, and one that is
 * killed is resumed by the next. What protects members by an event further on stands after each part as it did before, and
 * from the beginning where it can be applied by now. What erasures have left to later is paid before, piece by piece. An event
 * that is still poison stays, with what is behind it.
 */
export async function retryQuarantined(
  deps: RetryDeps,
  projection: Projection | undefined,
  quarantined: QuarantinedKey,
): Promise<Retried> {
  const { name, version } = quarantined.target
  const nothing = { quarantined, applied: 0, gone: 0, incomplete: false }
  if (!projection) return { ...nothing, reason: unknownReason(name) }
  if (version !== projection.version) {
    const reason = `it is live in version ${version}, and this code has ${projection.version}: retry with the release that feeds it`
    return { ...nothing, reason }
  }
  const retry = new Retry(deps, projection, quarantined)
  const reason = await retry.run()
  const { applied, gone } = retry
  return { quarantined, applied, gone, reason, incomplete: gone > 0 || retry.again.incomplete }
}

const unknownReason = (name: string) =>
  `this release has no read model "${name}": retry with the release that feeds it, or remove its tables with "drop ${name}"`

/** The one event that is poison, where it is known. */
class Poisonous extends Error {
  override name = 'Poisonous'

  constructor(
    readonly stored: StoredEvent,
    readonly reason: string,
  ) {
    super(reason)
  }
}

const isPoisonous = (error: unknown) =>
  isPoison(error) || error instanceof UndecodableEvent || error instanceof Poisonous

/** One retry of a key, part by part. */
class Retry {
  applied = 0
  gone = 0
  readonly again: Again

  constructor(
    private readonly deps: RetryDeps,
    private readonly projection: Projection,
    private readonly quarantined: QuarantinedKey,
  ) {
    this.again = new Again(deps, projection, quarantined)
  }

  /** Why it ended before the last event; null where none is left. */
  async run(): Promise<string | null> {
    const { pool, part = PART } = this.deps
    const { target, key } = this.quarantined
    const debts = new Debts({ pool, projection: this.projection }, () => target)
    const pay = () => {
      debts.forget()
      return debts.payAll()
    }
    try {
      do await pay()
      while (!(await this.take([])))
      for (;;) {
        await pay()
        const next = await firstWaiting(pool, target, key, part)
        if (next.length === 0) return null
        await this.take(next)
      }
    } catch (error) {
      if (error instanceof Poisonous) return error.reason
      throw error
    }
  }

  /**
   * As `apply`. A poisonous event is found by halving, and thrown as Poisonous. With no rows, what could not be applied as it came
   * is where it can be by now.
   */
  private async take(rows: readonly WaitingRow[]): Promise<boolean> {
    try {
      return await this.apply(rows)
    } catch (error) {
      if (!isPoisonous(error)) throw error
    }
    if (rows.length < 2) return this.takeOne(rows)
    const middle = rows.length >> 1
    return (await this.take(rows.slice(0, middle))) && this.take(rows.slice(middle))
  }

  /** Either it is poison, or some of what is done again with it. */
  private async takeOne(rows: readonly WaitingRow[]): Promise<boolean> {
    const [row] = rows
    try {
      return await this.apply(rows, { oneByOne: true })
    } catch (error) {
      if (!(error instanceof Poisonous)) throw error
      const { stored, reason } = error
      if (row && stored.id === row.event_id) {
        await noteReason(this.deps.pool, this.quarantined, row, reason)
        throw error
      }
      // It protects nobody yet, and is named in its turn.
      if (this.again.leaveOut(stored)) return this.take(rows)
      const { id, type, stream, revision } = stored
      const text = `${type} ${id} (${stream}@${revision}) is in the rows already, and cannot be applied again after what waits: ${reason}`
      throw new Poisonous(stored, text)
    }
  }

  /**
   * False, and nothing is changed, where another erasure has left something to later, or somebody else has applied some of it.
   * All that takes long is read before the lock, and behind it what came since.
   */
  private async apply(rows: readonly WaitingRow[], { oneByOne = false } = {}): Promise<boolean> {
    const { deps } = this
    const { target } = this.quarantined
    const waiting = await decodeAll(deps.codec, await storedOf(deps.log, rows))
    await this.again.lookBack()
    const before = await this.again.of(deps.pool, target, rows)
    if (rows.length + before.length === 0) return true
    const work = async (db: pg.ClientBase) => {
      await lockTarget(db, target)
      const live = await findTarget(db, target)
      if (live?.state !== 'live') throw new Error(`${target.name} was swapped meanwhile.`)
      if ((await listOwed(db, target)).length > 0 || !(await takeOut(db, target, rows))) return false
      const again = await this.again.of(db, live, rows)
      const events = [...waiting, ...again].sort((a, b) => (a.stored.position < b.stored.position ? -1 : 1))
      const applying = { projection: this.again.applying(events), target: live, late: () => this.again.noteMissing() }
      for (const some of oneByOne ? events.map((one) => [one]) : [events]) await applyDecoded(db, applying, some)
      await noteApplied(db, this.quarantined, this.again.firstDone(again))
      this.again.note(waiting, again)
      return true
    }
    const isDone = await inTransaction(deps.pool, work, GIVES_WAY)
    if (isDone) this.applied += waiting.length
    if (isDone) this.gone += rows.length - waiting.length
    return isDone
  }
}

/** Of one event alone it is known which is poison. */
async function applyDecoded(db: pg.ClientBase, applying: Applying, events: readonly Decoded[]): Promise<void> {
  try {
    await applyEvents(db, applying, events.map(readable))
  } catch (error) {
    if (events.length === 1 && isPoisonous(error)) throw new Poisonous(events[0]!.stored, reasonOf(error))
    throw error
  }
}

/** False where one of them waits no more. */
async function takeOut(db: pg.ClientBase, target: Target, rows: readonly WaitingRow[]): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from app.quarantine where ${SAME} and event_id = any($4)
       and (select count(*) from app.quarantine where ${SAME} and event_id = any($4)) = $5`,
    [...idOf(target), rows.map(({ event_id }) => event_id), rows.length],
  )
  return rowCount === rows.length
}
