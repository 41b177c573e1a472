import type pg from 'pg'
import type { RecordedEvent } from '../../domain/all-events.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { UndecodableEvent } from '../../eventstore/codec.ts'
import type { Projection } from '../projection.ts'
import { moveCheckpoint, schemaOf, type Target } from './checkpoints.ts'
import type { Decoded } from './decoding.ts'
import { changesOf, emptySets, foldChanges, type RowSets, wantedBy } from './fold.ts'
import { FoldFailed } from './poison.ts'
import { areQuarantined, type Quarantined, quarantine } from './quarantine.ts'
import { loadRows, writeRows } from './rows.ts'

/** The checkpoint moved under us: another process is ahead, or another set of tables went live. */
export class Overtaken extends Error {
  override name = 'Overtaken'
}

/**
 * Events in log order, up to a position; `quarantined` are those that are set aside, each with why, and `waiting` those
 * of them that are sound but come after a poisonous one. `passed` counts what of the log lies behind with the batch.
 */
export type Batch = {
  readonly events: readonly Decoded[]
  readonly quarantined: readonly Quarantined[]
  readonly waiting: readonly Quarantined[]
  readonly to: Position
  readonly epoch: string | null
  readonly passed: number
}

/**
 * Checkpoint and rows in the caller's one transaction. The checkpoint moves first: it is also the lock that makes
 * concurrent processes wait, so what is loaded afterwards cannot change before the commit. Throws Overtaken when it
 * does not stand at the target's position.
 */
export async function applyBatch(
  db: pg.ClientBase,
  projection: Projection,
  target: Target,
  { events, quarantined, waiting, to, epoch, passed }: Batch,
): Promise<void> {
  if (!(await moveCheckpoint(db, target, to, epoch, passed))) throw new Overtaken(`${target.name} moved`)
  if (waiting.length > 0 && !(await areQuarantined(db, target, waiting)))
    throw new Overtaken(`${target.name} was retried`)
  if (quarantined.length > 0) await quarantine(db, target, quarantined)
  if (events.length > 0)
    await applyEvents(
      db,
      projection,
      target,
      guarded(() => events.map(readable)),
    )
}

/** Rows alone; the caller has the checkpoint's lock. */
export async function applyEvents(
  db: pg.ClientBase,
  projection: Projection,
  target: Target,
  events: readonly RecordedEvent[],
): Promise<void> {
  const sets = emptySets(projection)
  const changes = guarded(() => changesOf(projection, events))
  const schema = schemaOf(target)
  for (const [table, wanted] of wantedBy(changes, sets)) await loadRows(db, schema, sets.get(table)!, wanted)
  guarded(() => foldChanges(changes, sets))
  await writeAll(db, schema, sets)
}

export async function writeAll(db: pg.ClientBase, schema: string, sets: RowSets): Promise<number> {
  let rows = 0
  for (const set of sets.values()) rows += await writeRows(db, schema, set)
  return rows
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
