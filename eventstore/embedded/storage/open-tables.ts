import type pg from 'pg'
import { createTables, layoutOf } from './layout.ts'
import { copiedUpTo, START } from './move/copy.ts'
import { dropSingle, switchOver } from './move/switch-over.ts'
import { PartitionedTables } from './partitioned-tables.ts'
import { createSql } from './partitions.ts'
import { singleTable } from './single-table.ts'
import type { Tables } from './tables.ts'

export type TablesSettings = {
  readonly span: number
  /** A log of no more events moves before it is served. */
  readonly moveAtOnce: number
  /** Streams whose numbers the writer keeps in memory; many without. */
  readonly remembered?: number | undefined
}

/** The log's tables, made where there are none. A small log of the layout before moves; a larger one stays as it is. */
export async function openTables(writer: pg.ClientBase, settings: TablesSettings): Promise<Tables> {
  const layout = await layoutOf(writer)
  if (layout === null) await createTables(writer)
  if (layout === 'single' && !(await moved(writer, settings))) return singleTable
  return PartitionedTables.open(writer, settings.span, settings.remembered)
}

async function moved(writer: pg.ClientBase, { span, moveAtOnce }: TablesSettings): Promise<boolean> {
  await writer.query(createSql('log.event_next'))
  if ((await copiedUpTo(writer)) !== START) return false
  if ((await switchOver(writer, { after: START, most: moveAtOnce, span })) !== 'done') return false
  await dropSingle(writer)
  return true
}
