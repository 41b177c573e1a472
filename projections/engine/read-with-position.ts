import { sql } from 'kysely'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { ReadDb } from '../projection.ts'

/** Rows, and the position that they show: everything up to there and nothing after it. */
export type Positioned<T> = { readonly data: T; readonly pos: Position }

/**
 * Reads, with the position of the named projections, in one repeatable-read transaction: `pos` is the earliest of
 * theirs. Give it a short `fn`: a swap waits for it.
 */
export async function readWithPosition<T>(
  db: ReadDb,
  names: readonly string[],
  fn: (db: ReadDb) => Promise<T>,
): Promise<Positioned<T>> {
  const work = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return work.execute(async (trx) => {
    // Before the snapshot is taken: whatever views it finds are the ones of the positions.
    await sql`lock table app.projection_swap in access share mode`.execute(trx)
    const { rows } = await sql<{ position: Position }>`select position from app.projection
      where state = 'live' and name = any(${names})`.execute(trx)
    const pos = rows.length < names.length ? START : rows.map(({ position }) => position).sort()[0]
    return { data: await fn(trx), pos: pos ?? START }
  })
}
