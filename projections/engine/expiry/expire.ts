import type pg from 'pg'
import type { Projection } from '../../projection.ts'
import { schemaOf, type Target } from '../checkpoints.ts'
import { layoutOf, type TableLayout } from '../columns.ts'
import { tableIn } from '../rows.ts'
import { quoted } from '../sql.ts'
import { onOwnConnection } from '../transaction.ts'

/** Rows that go with one batch: more of them, as after a long quiet, go with the next ones. */
const EXPIRED_AT_ONCE = 1_000

/** Removes rows of a table whose time has passed, the oldest first. */
export async function removeExpired(
  db: Pick<pg.ClientBase, 'query'>,
  schema: string,
  layout: TableLayout,
  clock: Date | null,
  most: number | null = EXPIRED_AT_ONCE,
): Promise<void> {
  if (!layout.expires || !clock) return
  const [table, column] = [tableIn(schema, layout), quoted(layout.expires)]
  await db.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${column} <= $1 order by ${column} limit $2))`,
    [clock.toISOString(), most],
  )
}

/** All of a target that nobody reads yet. */
export const removeAllExpired = (pool: pg.Pool, { tables }: Projection, target: Target): Promise<void> =>
  onOwnConnection(pool, async (db) => {
    for (const table of tables) await removeExpired(db, schemaOf(target), layoutOf(table), target.clock, null)
  })
