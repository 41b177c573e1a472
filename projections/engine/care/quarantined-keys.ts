import type pg from 'pg'
import type { RecordedEvent } from '../../../domain/all-events.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { type Codec, UndecodableEvent } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Projection } from '../../projection.ts'
import { applyEvents } from '../apply.ts'
import { goesAhead } from '../batch-processor.ts'
import { findTarget, idOf, listTargets, lockTarget, SAME, type Target } from '../checkpoints.ts'
import { listOwed } from '../owed/owed.ts'
import { Debts } from '../owed/pay.ts'
import { isPoison, reasonOf } from '../poison.ts'
import { GIVES_WAY, inTransaction } from '../transaction.ts'
import { Beside, type BesideLog } from './beside.ts'
import { firstWaiting, inLogOrder, lastWaiting, storedOf, type WaitingRow } from './waiting-events.ts'

/** One event of a key in quarantine, as the log has it: sealed fields stay sealed. */
export type QuarantinedEvent = { readonly stored: StoredEvent; readonly reason: string; readonly at: Date }

/** A key of a live projection in quarantine with its first events, oldest first, and how many there are; the first is the poisonous one. */
export type QuarantinedKey = {
  readonly target: Target
  readonly key: string
  readonly events: readonly QuarantinedEvent[]
  readonly total: number
}

export type QuarantineDeps = {
  readonly pool: pg.Pool
  readonly log: BesideLog
  readonly codec: Pick<Codec, 'decode'>
  /** Events that are applied in one transaction, and those of members that are done again with each. */
  readonly part?: number
  readonly beside?: number
}

/** `reason`: why what is left is still poison. `incomplete`: its members did more meanwhile than was done again. */
export type Retried = {
  readonly quarantined: QuarantinedKey
  readonly applied: number
  readonly reason: string | null
  readonly incomplete: boolean
}

/** Events of a key that are shown. */
const SHOWN = 1_000
/** Others wait for one part, which takes a fraction of a second. */
const PART = 300
/** Rows of the quarantine that are looked up at once: it has no index by position. */
const LOOKED_UP = 3_000
const BESIDE = 2_000
/** Blocks that wait, and are done again with each part before them. */
const AHEAD = 50

/** The keys that hold this event or stream, or are this key, one for each live projection that quarantined them. */
export async function findQuarantined(
  { pool, log }: Pick<QuarantineDeps, 'pool' | 'log'>,
  eventOrKey: string,
  name?: string,
): Promise<QuarantinedKey[]> {
  const found: QuarantinedKey[] = []
  const live = (await listTargets(pool, name)).filter(({ state }) => state === 'live')
  for (const target of live) {
    const { rows } = await pool.query<{ key: string; total: number }>(
      `select key, count(*)::integer as total from app.quarantine where ${SAME} and key in (
         select key from app.quarantine q where q.name = $1 and q.version = $2 and q.generation = $3
           and (event_id = $4 or key = $4 or stream = $4)) group by key`,
      [...idOf(target), eventOrKey],
    )
    for (const { key, total } of rows) found.push({ target, key, total, events: await shownOf(pool, log, target, key) })
  }
  return found
}

async function shownOf(pool: pg.Pool, log: BesideLog, target: Target, key: string): Promise<QuarantinedEvent[]> {
  const rows = await firstWaiting(pool, target, key, SHOWN)
  const byId = new Map(rows.map((row) => [row.event_id, row]))
  return (await storedOf(log, rows)).map((stored) => {
    const { reason, at } = byId.get(stored.id)!
    return { stored, reason, at }
  })
}

/**
 * Applies the events of a key in order, and releases it with the last one; a projector that has it in memory finds that out
 * with its next event. Each part is a transaction of its own with what it releases, so that others wait for no more, and one that is
 * killed is resumed by the next. What protects members by an event further on stands after each part as it did before. What
 * erasures have left to later is paid before, piece by piece. An event that is still poison stays, with what is behind it.
 */
export async function retryQuarantined(
  deps: QuarantineDeps,
  projection: Projection,
  quarantined: QuarantinedKey,
): Promise<Retried> {
  const { target, key } = quarantined
  if (target.version !== projection.version) {
    const reason = `it is live in version ${target.version}, and this code has ${projection.version}: retry with the release that feeds it`
    return { quarantined, applied: 0, reason, incomplete: false }
  }
  const debts = new Debts({ pool: deps.pool, projection }, () => target)
  let retry: Retry | undefined
  let applied = 0
  let next: readonly WaitingRow[] = []
  for (let most = deps.part ?? PART; ; ) {
    debts.forget()
    await debts.payAll()
    if (next.length === 0) next = await firstWaiting(deps.pool, target, key, LOOKED_UP)
    const rows = next.slice(0, most)
    const [first] = rows
    const incomplete = retry?.incomplete ?? false
    if (!first) return { quarantined, applied, reason: null, incomplete }
    retry ??= new Retry(deps, projection, quarantined, first.position)
    try {
      const isDone = await retry.apply(rows)
      if (isDone) applied += rows.length
      next = isDone ? next.slice(rows.length) : []
    } catch (error) {
      if (!isPoison(error) && !(error instanceof UndecodableEvent)) throw error
      const reason = reasonOf(error)
      if (rows.length === 1) {
        await noteReason(deps.pool, target, first, reason)
        return { quarantined, applied, reason, incomplete }
      }
      most = rows.length >> 1
    }
  }
}

async function noteReason(pool: pg.Pool, target: Target, { event_id }: WaitingRow, reason: string): Promise<void> {
  await pool.query(`update app.quarantine set reason = $5 where ${SAME} and event_id = $4`, [
    ...idOf(target),
    event_id,
    reason,
  ])
}

/** One retry of a key, part by part. */
class Retry {
  private readonly beside: Beside
  /** What is done again with each part. */
  private readonly decoded = new Map<string, RecordedEvent>()

  constructor(
    private readonly deps: QuarantineDeps,
    private readonly projection: Projection,
    private readonly quarantined: QuarantinedKey,
    after: Position,
  ) {
    this.beside = new Beside(deps.log, projection, quarantined.key, after, deps.beside ?? BESIDE)
  }

  /** An erasure of a member that a pair's key names is beside it. */
  private get aheadTypes(): string[] {
    const types = Object.keys(this.projection.when).filter((type) => goesAhead(this.projection, type))
    return this.beside.isNone ? types : types.filter((type) => type !== 'AccountErased')
  }

  get incomplete(): boolean {
    return this.beside.incomplete
  }

  /**
   * False, and nothing is changed, where another erasure has left something to later, or somebody else has applied some of it.
   * All that takes long is read before the lock, and behind it what came since.
   */
  async apply(rows: readonly WaitingRow[]): Promise<boolean> {
    const { deps, projection } = this
    const { target } = this.quarantined
    const waiting = await deps.codec.decode(await storedOf(deps.log, rows))
    await this.again(deps.pool, target, rows)
    const work = async (db: pg.ClientBase) => {
      await lockTarget(db, target)
      const live = await findTarget(db, target)
      if (live?.state !== 'live') throw new Error(`${target.name} was swapped meanwhile.`)
      if ((await listOwed(db, target)).length > 0 || !(await takeOut(db, target, rows))) return false
      const events = inLogOrder([...waiting, ...(await this.again(db, live, rows))])
      await applyEvents(db, { projection, target: live }, events)
      return true
    }
    return inTransaction(deps.pool, work, GIVES_WAY)
  }

  /** What was applied before these rows though it comes after them. */
  private async again(
    db: Pick<pg.ClientBase, 'query'>,
    live: Target,
    rows: readonly WaitingRow[],
  ): Promise<RecordedEvent[]> {
    const { log, codec } = this.deps
    const [first, last] = [rows[0]!.position, rows[rows.length - 1]!.position]
    const ahead = await lastWaiting(db, live, this.quarantined.key, {
      after: last,
      types: this.aheadTypes,
      most: AHEAD,
    })
    const done = (await this.beside.read()).filter(({ position }) => position > first && position <= live.position)
    const inQuarantine = await waitingAmong(db, live, done)
    const due = done.filter(({ id, type }) => !inQuarantine.has(id) || goesAhead(this.projection, type))
    const unknown = ahead.filter(({ event_id }) => !this.decoded.has(event_id))
    const fresh = [...(await storedOf(log, unknown)), ...due.filter(({ id }) => !this.decoded.has(id))]
    for (const event of await codec.decode(fresh)) this.decoded.set(event.id, event)
    return [...ahead.map(({ event_id }) => event_id), ...due.map(({ id }) => id)].map((id) => this.decoded.get(id)!)
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

/** The ids of those that wait themselves. */
async function waitingAmong(
  db: Pick<pg.ClientBase, 'query'>,
  target: Target,
  events: readonly StoredEvent[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ event_id: string }>(
    `select event_id from app.quarantine where ${SAME} and event_id = any($4)`,
    [...idOf(target), events.map(({ id }) => id)],
  )
  return new Set(rows.map(({ event_id }) => event_id))
}
