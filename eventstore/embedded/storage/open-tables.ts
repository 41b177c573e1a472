import type pg from 'pg'
import { createTables, layoutOf } from './layout.ts'
import { copiedUpTo, START } from './move/copy.ts'
import { type FreeBytes, hasRoom } from './move/disk-room.ts'
import { dropSingle, switchOver } from './move/switch-over.ts'
import { PartitionedTables } from './partitioned-tables.ts'
import { createSql } from './partitions.ts'
import { SCAVENGE_LOCK } from './scavenge-lock.ts'
import { singleTable } from './single-table.ts'
import type { Tables } from './tables.ts'

export type TablesSettings = {
  readonly span: number
  /** A log of no more events moves at once; null where it is being read, which only its mover keeps apart from the switch. */
  readonly moveAtOnce: number | null
  /** Streams whose numbers the writer keeps in memory; many without. */
  readonly remembered?: number | undefined
  readonly freeBytes?: FreeBytes | undefined
}

/** The log's tables, made where there are none. A small log of the layout before moves; a larger one stays as it is. */
export async function openTables(writer: pg.ClientBase, settings: TablesSettings): Promise<Tables> {
  const layout = await layoutOf(writer)
  if (layout === null) await createTables(writer)
  if (layout === 'single' && !(await unlessScavenged(writer, () => moved(writer, settings)))) return singleTable
  return PartitionedTables.open(writer, settings.span, settings.remembered)
}

async function unlessScavenged(writer: pg.ClientBase, work: () => Promise<boolean>): Promise<boolean> {
  const { rows } = await writer.query('select pg_try_advisory_lock(hashtext($1)) as locked', [SCAVENGE_LOCK])
  if (!rows[0].locked) return false
  const done = await work()
  await writer.query('select pg_advisory_unlock(hashtext($1))', [SCAVENGE_LOCK])
  return done
}

async function moved(writer: pg.ClientBase, { span, moveAtOnce, freeBytes }: TablesSettings): Promise<boolean> {
  if (moveAtOnce === null || !(await hasRoom(writer, freeBytes))) return false
  await writer.query(createSql('log.event_next'))
  if ((await copiedUpTo(writer)) !== START) return false
  if ((await switchOver(writer, { after: START, most: moveAtOnce, span })) !== 'done') return false
  await dropSingle(writer)
  return true
}
