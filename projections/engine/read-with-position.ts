import { sql } from 'kysely'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { Log } from '../../eventstore/log.ts'
import type { ReadDb } from '../projection.ts'
import { positionIn, type Target } from './checkpoints.ts'

/** Rows, and the position that they show: everything up to there and nothing after it. */
export type Positioned<T> = { readonly data: T; readonly pos: Position }

/**
 * Where the rows of a read model are in this log; null where they show nothing of it: nobody reads its tables, or they are of
 * another log, or of this one before it was set back. Such rows are to be left out.
 */
export type ShownUpTo = (name: string) => Position | null

/**
 * Reads, with the position of the named projections, in one repeatable-read transaction: `pos` is the earliest of
 * theirs, START where one shows nothing. Give it a short `fn`: a swap waits for it.
 */
export async function readWithPosition<T>(
  db: ReadDb,
  log: Pick<Log, 'id'>,
  names: readonly string[],
  fn: (db: ReadDb, shownUpTo: ShownUpTo) => Promise<T>,
): Promise<Positioned<T>> {
  const logId = await log.id()
  return readAtOnce(db, async (trx) => {
    const { rows } = await sql<Pick<Target, 'name' | 'position' | 'logId'>>`
      select name, position, epoch as "logId" from app.projection
      where state = 'live' and name = any(${names})`.execute(trx)
    const places = new Map(rows.map((live) => [live.name, positionIn(logId, live)]))
    const placeOf = (name: string) => places.get(name) ?? START
    const pos = names.map(placeOf).sort()[0] ?? START
    return { data: await fn(trx, (name) => (placeOf(name) === START ? null : placeOf(name))), pos }
  })
}

/** Reads in one repeatable-read transaction, behind which no tables are swapped. Give it a short `fn`: a swap waits for it. */
export function readAtOnce<T>(db: ReadDb, fn: (db: ReadDb) => Promise<T>): Promise<T> {
  const work = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return work.execute(async (trx) => {
    // Before the snapshot is taken: whatever views it finds are the ones of the positions.
    await sql`lock table app.projection_swap in access share mode`.execute(trx)
    return fn(trx)
  })
}
