import { allEvents, type EventType, type RecordedEvent } from '../../domain/all-events.ts'
import { isOfLaterRelease } from '../../eventstore/codec.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import type { AnyTable, Change, Projection } from '../projection.ts'
import { type AnyRow, layoutOf } from './columns.ts'
import { hasExpiry, later } from './expiry/clock.ts'
import { RowSet } from './row-set.ts'

/** The rows in memory, by table. */
export type RowSets = ReadonlyMap<AnyTable, RowSet>

/** Keys of a table whose rows a batch has to see before it can be folded. */
export type RowsToLoad = Map<string, AnyRow>

export const handles = (projection: Projection, type: string): boolean => Object.hasOwn(projection.when, type)

/** What it handles, and what a later release may: there it stops, since it cannot be read. */
export const concerns = (projection: Projection, event: Pick<StoredEvent, 'type' | 'stream'>): boolean =>
  handles(projection, event.type) || isOfLaterRelease(event)

/** The types of this release that concern none of them. */
export const passedBy = (projections: readonly Projection[]): string[] =>
  allEvents.flatMap(({ type }) => (projections.some((one) => handles(one, type)) ? [] : [type]))

/** A change, the time that the read model has come to with its event, and whether that is an erasure. */
export type Timed = Change & { readonly clock?: Date; readonly erases?: true }

/**
 * What the events do to rows, in their order, from a time of the read model on. Events that the projection does not know change
 * nothing.
 */
export function changesOf(
  projection: Projection,
  events: readonly RecordedEvent[],
  clock: Date | null = null,
): Timed[] {
  const timed = hasExpiry(projection)
  const all: Timed[] = []
  let now = clock
  for (const event of events) {
    const handler = projection.when[event.type] as ((event: RecordedEvent<EventType>) => readonly Change[]) | undefined
    if (!handler) continue
    if (timed) now = later(now, event)
    const at = timed ? { clock: now! } : undefined
    const more = event.type === 'AccountErased' ? { ...at, erases: true as const } : at
    for (const change of handler(event)) all.push(more ? { ...change, ...more } : change)
  }
  return all
}

export function emptySets(projection: Projection): RowSets {
  return new Map(projection.tables.map((table) => [table, new RowSet(layoutOf(table))]))
}

/**
 * The rows that the changes name by key and that are not in memory. Those that are written whole, whatever they are, need
 * not be seen, nor do those that a change by `where` meets.
 */
export function wantedBy(changes: readonly Change[], sets: RowSets): Map<AnyTable, RowsToLoad> {
  const wanted = new Map<AnyTable, RowsToLoad>()
  for (const change of changes) {
    const set = setOf(sets, change.table)
    if (set.whole || !('key' in change) || change.whole) continue
    const id = set.idOf(change.key)
    if (set.has(id)) continue
    const own = wanted.get(change.table)
    if (own) own.set(id, change.key)
    else wanted.set(change.table, new Map([[id, change.key]]))
  }
  return wanted
}

/** Folds in order. A change by `where` meets the rows in memory that match at its turn, and the others by a statement. */
export function foldChanges(changes: readonly Timed[], sets: RowSets): void {
  for (const change of changes) foldChange(change, setOf(sets, change.table))
}

export function foldChange(change: Timed, set: RowSet): void {
  if (change.clock) set.clock = change.clock
  if ('key' in change) set.fold(change.key, change.fold)
  else set.setWhere(change)
}

/** The time behind the last event, which may have changed nothing. */
export function setClock(sets: RowSets, clock: Date | null): void {
  if (clock) for (const set of sets.values()) set.clock = clock
}

function setOf(sets: RowSets, table: AnyTable): RowSet {
  const set = sets.get(table)
  if (!set) throw new Error(`${table.name} is no table of this projection`)
  return set
}
