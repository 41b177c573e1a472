import type pg from 'pg'
import type { SetChange } from '../../projection.ts'
import type { Target } from '../checkpoints.ts'
import type { AnyRow, TableLayout } from '../columns.ts'
import { runFirst, runGroup } from '../sets/run-sets.ts'
import type { TimedSet } from '../sets/set-changes.ts'
import { groupsOf } from '../sets/set-groups.ts'
import { changes as changesRow, commute, mayBeOwed, noteOwed, OwedFirst, type Owing, owedOf } from './owed.ts'

/**
 * As `runSets`, where an erasure changes no more rows at once than a piece has: the rest of it is noted as owed. `rows` are those
 * that the batch writes after it, which no piece may change any more.
 */
export async function runOwing(
  db: Pick<pg.ClientBase, 'query'>,
  { target, table, layout, owing }: { target: Target; table: string; layout: TableLayout; owing: Owing },
  sets: readonly TimedSet[],
  rows: readonly AnyRow[],
): Promise<void> {
  const before: { readonly number?: string; readonly change: SetChange }[] = [...owedOf(owing, layout)]
  for (const { changes } of groupsOf(sets)) {
    const [change] = changes as [TimedSet]
    const later = changes.length === 1 && mayBeOwed(layout, change) && !rows.some((row) => changesRow(change, row))
    const met = before.find((other) => changes.some((one) => !commute(one, other.change)))
    if (met && !later) throw new OwedFirst(met.number)
    const isOwed = later && (met || (await runFirst(db, table, layout, change, owing.most)) === owing.most)
    if (isOwed) {
      await noteOwed(db, target, layout.name, change)
      before.push({ change })
    } else if (!later) await runGroup(db, table, layout, changes)
  }
}
