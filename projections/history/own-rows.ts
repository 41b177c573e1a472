import type pg from 'pg'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { listTargets, schemaOf, type Target } from '../engine/checkpoints.ts'
import { type AnyRow, layoutOf } from '../engine/columns.ts'
import { RowSet } from '../engine/row-set.ts'
import { rowsWith } from '../engine/rows.ts'
import { inTransaction } from '../engine/transaction.ts'
import type { AnyTable, Projection } from '../projection.ts'
import { weightOfRow } from './row-weight.ts'

/** Columns that name the owner of a row; the first that a table has counts, the last ones side by side. */
const OWNERS: readonly (readonly string[])[] = [['member'], ['recipient'], ['from_member', 'reporter', 'target']]

/** The columns of a table that name the owner of a row; none for a table that is about nobody. */
export function ownersIn(table: AnyTable): readonly string[] {
  return OWNERS.map((names) => names.filter((name) => name in table.columns)).find((names) => names.length > 0) ?? []
}

/** A member's rows of one table, by the id of their key. */
export type OwnRows = ReadonlyMap<string, AnyRow>

/** The rows in memory that are a member's. */
export function ownRows(table: AnyTable, set: RowSet, member: MemberId): OwnRows {
  const ids = new Set(ownersIn(table).flatMap((owner) => set.matching({ [owner]: member })))
  return new Map([...ids].sort().map((id) => [id, set.get(id) as AnyRow]))
}

/** A member's rows of one read model as readers see them, and its position; rows are null where they weigh too much. */
export type SeenModel = {
  readonly position: Position
  readonly clock: Date | null
  readonly rows: ReadonlyMap<AnyTable, OwnRows> | null
}
/** One whose rows are there. */
export type SeenRows = SeenModel & { readonly rows: ReadonlyMap<AnyTable, OwnRows> }

/**
 * What readers see of a member, all at one moment; null for a read model that is filled for the first time. `most`: what the
 * rows of one read model may weigh.
 */
export async function readOwnRows(
  pool: pg.Pool,
  projections: readonly Projection[],
  { member, most }: { member: MemberId; most: number },
): Promise<Map<Projection, SeenModel | null>> {
  return inTransaction(pool, async (db) => {
    await db.query('set transaction isolation level repeatable read read only')
    // Before the snapshot is taken: the tables that it finds are not swapped away under it.
    await db.query('lock table app.projection_swap in access share mode')
    const targets = (await listTargets(db)).filter(({ state }) => state === 'live')
    const seen = new Map<Projection, SeenModel | null>()
    for (const projection of projections) {
      const live = targets.find(({ name }) => name === projection.name)
      const model = live && { position: live.position, clock: live.clock }
      seen.set(projection, model ? { ...model, rows: await readModel(db, projection, { live, member, most }) } : null)
    }
    return seen
  })
}

/** Null where they weigh more than `most`; the rest of them is not read. */
async function readModel(
  db: pg.PoolClient,
  { tables }: Projection,
  { live, member, most }: { live: Target; member: MemberId; most: number },
): Promise<Map<AnyTable, OwnRows> | null> {
  const rows = new Map<AnyTable, OwnRows>()
  let weight = 0
  for (const table of tables) {
    const set = new RowSet(layoutOf(table))
    if (live.clock) set.clock = live.clock
    for (const owner of ownersIn(table))
      for await (const part of rowsWith(db, schemaOf(live), set.layout, { [owner]: member })) {
        for (const row of part) set.hold(set.idOf(row), row)
        weight += part.reduce((sum, row) => sum + weightOfRow(row), 0)
        if (weight > most) return null
      }
    rows.set(table, ownRows(table, set, member))
  }
  return rows
}
