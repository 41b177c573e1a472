import type { EventType, RecordedEvent } from '../../domain/all-events.ts'
import type { AnyTable, Change, Projection } from '../projection.ts'
import { type AnyRow, layoutOf, tupleId } from './columns.ts'
import { RowSet } from './row-set.ts'

/** The rows in memory, by table. */
export type RowSets = ReadonlyMap<AnyTable, RowSet>

/** Which rows of a table a batch has to see before it can be folded. */
export type RowsToLoad = { readonly keys: Map<string, AnyRow>; readonly wheres: Map<string, AnyRow> }

export const handles = (projection: Projection, type: string): boolean => type in projection.when

/** What the events do to rows, in their order. Events that the projection does not know change nothing. */
export function changesOf(projection: Projection, events: readonly RecordedEvent[]): Change[] {
  return events.flatMap((event) => {
    const handler = projection.when[event.type] as ((event: RecordedEvent<EventType>) => readonly Change[]) | undefined
    return handler?.(event) ?? []
  })
}

export function emptySets(projection: Projection): RowSets {
  return new Map(projection.tables.map((table) => [table, new RowSet(layoutOf(table))]))
}

/**
 * The rows that the changes name, by key or by their values, and that are not in memory. Those that are written whole,
 * whatever they are, need not be seen.
 */
export function wantedBy(changes: readonly Change[], sets: RowSets): Map<AnyTable, RowsToLoad> {
  const wanted = new Map<AnyTable, RowsToLoad>()
  for (const change of changes) {
    const set = setOf(sets, change.table)
    if (set.whole || ('whole' in change && change.whole)) continue
    let own = wanted.get(change.table)
    if (!own) {
      own = { keys: new Map(), wheres: new Map() }
      wanted.set(change.table, own)
    }
    if ('where' in change) own.wheres.set(whereId(change.where), change.where)
    else {
      const id = set.idOf(change.key)
      if (!set.has(id)) own.keys.set(id, change.key)
    }
  }
  return wanted
}

function whereId(where: AnyRow): string {
  const columns = Object.keys(where).sort()
  return `${columns.join()}:${tupleId(columns, where)}`
}

/**
 * Folds in order. A change by `where` meets the rows that match at its turn: those that matched in the database are
 * loaded, and a row that came to match since was changed and so is loaded too.
 */
export function foldChanges(changes: readonly Change[], sets: RowSets): void {
  for (const change of changes) {
    const set = setOf(sets, change.table)
    if ('key' in change) {
      const id = set.idOf(change.key)
      set.set(id, change.fold(set.get(id)) as AnyRow | undefined)
    } else {
      for (const id of set.matching(change.where)) {
        set.set(id, change.fold(set.get(id) as object) as AnyRow | undefined)
      }
    }
  }
}

function setOf(sets: RowSets, table: AnyTable): RowSet {
  const set = sets.get(table)
  if (!set) throw new Error(`${table.name} is no table of this projection`)
  return set
}
