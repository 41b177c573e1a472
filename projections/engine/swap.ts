import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Projection } from '../projection.ts'
import { CheckpointConflict } from './apply.ts'
import { findTarget, listTargets, lockProjection, setState, type Target } from './checkpoints.ts'
import { createIndexes, dropViewsOf, type IndexesFor, pointViews } from './tables.ts'
import { removeTarget } from './targets.ts'
import { GIVES_WAY, inTransaction } from './transaction.ts'

/** Readers come first: a swap that has to wait for them longer than this gives way and is tried again. */
const PATIENCE_MS = 2_000

/** All indexes of a target that is being filled, or those that some look-ups need. */
export async function indexFilled(
  pool: pg.Pool,
  projection: Projection,
  target: Target,
  only?: IndexesFor,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockProjection(db, projection.name)
    if ((await findTarget(db, target))?.state === 'filling') await createIndexes(db, projection, target, only)
  })
}

/**
 * Makes readers see the filled target, in one transaction. The live checkpoint is locked first and the target brought
 * to where it stands, so no reader sees time go back; `catchUp` does that in transactions of its own. Throws CheckpointConflict
 * when another process swapped first.
 */
export async function swapIn(
  pool: pg.Pool,
  projection: Projection,
  target: Target,
  catchUp: (to: Position) => Promise<void>,
): Promise<void> {
  const swap = async (db: pg.ClientBase) => {
    await lockProjection(db, projection.name)
    await db.query(`select from app.projection where name = $1 and state = 'live' for update`, [projection.name])
    const known = await listTargets(db, projection.name)
    const live = known.find(({ state }) => state === 'live')
    const mine = known.find(({ version, generation }) => version === target.version && generation === target.generation)
    if (mine?.state !== 'filling') throw new CheckpointConflict(`${projection.name} was swapped`)
    if (live && live.logId !== null && live.logId === mine.logId) await catchUp(live.position)
    await db.query('lock table app.projection_swap in access exclusive mode')
    if (live) {
      await dropViewsOf(db, live)
      await setState(db, live, 'retired')
    }
    await pointViews(db, projection.tables, mine)
    await setState(db, mine, 'live')
    return live ? known.filter(({ state }) => state === 'retired') : []
  }
  const older = await inTransaction(pool, swap, { ...GIVES_WAY, lockMs: PATIENCE_MS })
  // What readers saw before stays for a rollback, and nothing older.
  for (const target of older) await inTransaction(pool, (db) => removeTarget(db, target))
}
