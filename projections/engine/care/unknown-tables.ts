import type pg from 'pg'
import type { Projection } from '../../projection.ts'
import { findLive, listTargets, lockProjection, schemaOf, type Target } from '../checkpoints.ts'
import { listFollowed } from '../leases.ts'
import { pointViews, viewsOf } from '../tables.ts'
import { removeTarget } from '../targets.ts'
import { inTransaction, isTaken } from '../transaction.ts'
import { withRebuildLock } from './rebuild-lock.ts'
import { NotPossible } from './tables-by-hand.ts'
import { KEPT_DAYS, lockTables, PATIENT } from './unfollowed-tables.ts'

/** A removal by hand that waits longer for a reader gives up. */
const PATIENCE_MS = 2_000

/** The read models with tables that this code does not have: of a release that was rolled back, or that still runs beside it. */
export async function listUnknown(pool: pg.Pool, known: readonly Projection[]): Promise<string[]> {
  const names = new Set((await listTargets(pool)).map(({ name }) => name))
  for (const { name } of known) names.delete(name)
  return [...names]
}

/**
 * Removes all tables of read models that this code does not have, the live ones too, once no process that is there has them, nor had
 * them within an hour, and none has moved for as long; with `old` it is a week. Their release makes them anew (decision 0049). Answers their schemas.
 */
export async function dropUnknown(
  pool: pg.Pool,
  known: readonly Projection[],
  which: 'all' | 'old',
): Promise<string[]> {
  const schemas: string[] = []
  for (const name of await listUnknown(pool, known)) {
    const gone = await inTransaction(pool, (db) => dropLeft(db, name, known, which)).catch((error: unknown) => {
      if (isTaken(error)) return []
      throw error
    })
    schemas.push(...gone.map(schemaOf))
  }
  return schemas
}

async function dropLeft(
  db: pg.PoolClient,
  name: string,
  known: readonly Projection[],
  which: 'all' | 'old',
): Promise<readonly Target[]> {
  if (!(await lockTables(db, name)) || (await listFollowed(db)).has(name)) return []
  const still = which === 'all' ? PATIENT : `${KEPT_DAYS} days`
  const moving = await db.query(
    `select from app.projection left join app.projection_seen using (name)
     where name = $1 and greatest(updated_at, seen_at) > now() - $2::interval`,
    [name, still],
  )
  if (moving.rowCount !== 0) return []
  return removeAll(db, name, known)
}

/** The same at once, for an operator; throws NotPossible while a process has them, or somebody reads them. */
export async function dropOther(pool: pg.Pool, name: string, known: readonly Projection[]): Promise<string[]> {
  const removal = async (db: pg.PoolClient) => {
    await lockProjection(db, name)
    if ((await listFollowed(db)).has(name))
      throw new NotPossible(`A process of another release has ${name}. Stop it before, or leave the tables to it.`)
    return removeAll(db, name, known)
  }
  const removed = () =>
    inTransaction(pool, removal, { lockMs: PATIENCE_MS }).catch((error: unknown) => {
      if (isTaken(error)) throw new NotPossible(`Somebody reads the tables of ${name}. Try again once they have ended.`)
      throw error
    })
  return (await withRebuildLock(pool, name, removed)).map(schemaOf)
}

async function removeAll(db: pg.PoolClient, name: string, known: readonly Projection[]): Promise<readonly Target[]> {
  const targets = await listTargets(db, name)
  for (const target of targets) {
    await takeViews(db, target, known)
    await removeTarget(db, target)
  }
  await db.query('delete from app.projection_seen where name = $1', [name])
  return targets
}

/** What this code has as a view of its own shows its own tables: a read model under another name may have taken it over. */
async function takeViews(db: pg.ClientBase, from: Target, known: readonly Projection[]): Promise<void> {
  const views = await viewsOf(db, from)
  for (const { name, version, tables } of known) {
    if (!tables.some((table) => views.includes(table.name))) continue
    await lockProjection(db, name)
    const live = await findLive(db, name)
    if (live?.version === version) await pointViews(db, tables, live)
  }
}
