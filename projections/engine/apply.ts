import type pg from 'pg'
import type { RecordedEvent } from '../../domain/all-events.ts'
import { UndecodableEvent } from '../../eventstore/codec.ts'
import type { Projection } from '../projection.ts'
import { type CheckpointMove, compareAndSwapCheckpoints, schemaOf, type Target } from './checkpoints.ts'
import type { Decoded } from './decoding.ts'
import { clockAfter } from './expiry/clock.ts'
import { removeExpired } from './expiry/expire.ts'
import { changesOf, emptySets, foldChanges, setClock, wantedBy } from './fold.ts'
import { type Owed, type Owing, owedOf, paidRow, requireOwed } from './owed/owed.ts'
import { FoldFailed } from './poison.ts'
import { areQuarantined, type Quarantined, quarantine } from './quarantine.ts'
import type { RowSet } from './row-set.ts'
import { loadRows, type WriteLimits, writeRows } from './rows.ts'
import { GIVES_WAY, inOneGo, inTransaction } from './transaction.ts'

/** The compare and swap of a checkpoint failed: another process moved it, or another set of tables went live. */
export class CheckpointConflict extends Error {
  override name = 'CheckpointConflict'
}

/** For a `catch`: the process that moved the checkpoint does the work. */
export function leaveToOtherProcess(error: unknown): void {
  if (!(error instanceof CheckpointConflict)) throw error
}

/**
 * What one target makes of a part of the log. `events` are in log order; `quarantined` are those that go into quarantine, each
 * with why, and `waiting` those of them that are sound but come after a poisonous one.
 */
export type Step = CheckpointMove & {
  readonly projection: Projection
  readonly events: readonly Decoded[]
  readonly quarantined: readonly Quarantined[]
  readonly waiting: readonly Quarantined[]
  readonly owing?: Owing | undefined
}

/** Many targets do not wait longer for a lock that concerns one of them, nor for a statement that changes many rows of one. */
const LOCKED_MS = 100
const CHANGED_MS = 40

/**
 * Checkpoints and rows of one or of many targets in one transaction. Throws CheckpointConflict
 * when one of them does not stand at its target's position: then no row was written.
 */
export async function commitSteps(pool: pg.Pool, steps: readonly Step[]): Promise<void> {
  const busy = steps.filter(({ events, quarantined }) => events.length + quarantined.length > 0)
  // The checkpoints come first: they are also the lock that makes concurrent processes wait, so that what is loaded behind them
  // cannot change before the commit.
  const limits = steps.length > 1 ? { setMs: CHANGED_MS } : {}
  const work = async (db: pg.ClientBase) => {
    const fold = () => inOneGo(db, busy, (step) => foldStep(db, step, limits))
    const moved = () => moveCheckpoints(db, steps).then(() => [])
    const [, folded = []] = await inOneGo(db, [moved, fold], (step: () => Promise<Folded[]>) => step())
    // Those first whose changes by `where` have a time limit: it would meet what goes with them.
    for (const { inSteps, write } of folded) if (inSteps) await write()
    await inOneGo(db, folded, async ({ inSteps, write }) => (inSteps ? undefined : write()))
  }
  const lockMs = steps.length > 1 ? LOCKED_MS : undefined
  await inTransaction(pool, work, { ...GIVES_WAY, lockMs, pipelined: true })
}

/** Throws CheckpointConflict where one of them is not at its target's position. */
export async function moveCheckpoints(db: pg.ClientBase, moves: readonly CheckpointMove[]): Promise<void> {
  if ((await compareAndSwapCheckpoints(db, moves)) < moves.length)
    throw new CheckpointConflict(`${moves.map(({ target }) => target.name).join(' or ')} moved`)
}

/** What events make of rows, not written yet. `inSteps`: it changes rows by `where`, one statement after the other. */
type Folded = { readonly inSteps: boolean; readonly write: () => Promise<void> }
const NOTHING: Folded = { inSteps: false, write: async () => undefined }

async function foldStep(db: pg.ClientBase, step: Step, limits: WriteLimits): Promise<Folded> {
  const { projection, target, events, quarantined, waiting, owing } = step
  if (waiting.length > 0 && !(await areQuarantined(db, target, waiting)))
    throw new CheckpointConflict(`${target.name} was retried`)
  if (quarantined.length > 0) await quarantine(db, target, quarantined)
  if (events.length === 0) return NOTHING
  const readableEvents = guarded(() => events.map(readable))
  return foldEvents(db, { projection, target, limits, owing }, readableEvents)
}

/** To which tables events go. */
export type Applying = {
  readonly projection: Projection
  readonly target: Target
  readonly limits?: WriteLimits
  /** An erasure may leave rows to later; without it everything is done at once, and nothing may be owed. */
  readonly owing?: Owing | undefined
  /** Events come late: they meet what had not ended in their time. Called where a row is not there that may have ended. */
  readonly late?: () => void
}

/** Rows alone; the caller has the checkpoint's lock. */
export async function applyEvents(
  db: pg.ClientBase,
  applying: Applying,
  events: readonly RecordedEvent[],
): Promise<void> {
  const { write } = await foldEvents(db, applying, events)
  await write()
}

async function foldEvents(
  db: pg.ClientBase,
  { projection, target, limits, owing, late }: Applying,
  events: readonly RecordedEvent[],
): Promise<Folded> {
  const sets = emptySets(projection)
  const changes = guarded(() => changesOf(projection, events, late ? null : target.clock))
  const clock = clockAfter(projection, target.clock, events)
  const schema = schemaOf(target)
  await inOneGo(db, wantedBy(changes, sets), async ([table, wanted]) => {
    const set = sets.get(table)!
    await loadRows(db, schema, set, wanted)
    if (table.expires && [...wanted.keys()].some((id) => !set.get(id))) late?.()
    await holdPaid(db, target, owedOf(owing, set.layout), set, wanted.keys())
  })
  guarded(() => foldChanges(changes, sets))
  setClock(sets, clock)
  const writeOne = async (set: RowSet) => {
    await writeRows(db, schema, set, limits, owing && { target, owing })
    await removeExpired(db, schema, set.layout, clock, limits?.expired)
  }
  const all = [...sets.values()]
  const inSteps = all.some(({ isAhead }) => isAhead)
  const writeEach = async () => {
    for (const set of all) await writeOne(set)
  }
  return { inSteps, write: inSteps ? writeEach : async () => void (await inOneGo(db, all, writeOne)) }
}

/** A fold sees rows as they will be once everything is paid, although the table has them as they are. */
async function holdPaid(
  db: pg.ClientBase,
  target: Target,
  owed: readonly Owed[],
  set: RowSet,
  ids: Iterable<string>,
): Promise<void> {
  if (owed.length === 0) return
  const met = [...ids].flatMap((id) => {
    const [row, paid] = [set.get(id), paidRow(owed, set.get(id))]
    return paid === row ? [] : [[id, paid] as const]
  })
  if (met.length > 0) await requireOwed(db, target, owed)
  for (const [id, paid] of met) set.hold(id, paid)
}

export function readable({ event }: Decoded): RecordedEvent {
  if (event instanceof UndecodableEvent) throw event
  return event
}

/** Only the projection's own code runs in here, so what it throws is about an event. */
export function guarded<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UndecodableEvent) throw error
    throw new FoldFailed('a handler failed', { cause: error })
  }
}
