import type pg from 'pg'
import { addMs, days } from '../../../domain/shared/dates.ts'
import { findLive, listTargets, lockProjection, schemaOf, type Target } from '../checkpoints.ts'
import { listFilled } from '../leases.ts'
import { listOwing } from '../owed/owed.ts'
import { removeTarget } from '../targets.ts'
import { inTransaction, isTaken } from '../transaction.ts'
import { REBUILD_LOCK } from './rebuild-lock.ts'

/** How long tables are kept for a rollback or a rebuild to resume, from when they last moved, while nobody is erased. */
export const KEPT_DAYS = 7
/**
 * How long an erasure waits, since they last moved, for a process that is there and fills them, which may rest before another try, and
 * for one of another release, which may be between two starts.
 */
export const PATIENT = '1 hour'
/** How long it waits for the locks of others that make, swap or read the tables. */
const PATIENCE = '5s'

/** When tables that stand still since then go, whatever happens meanwhile. */
export const keptUntil = (updatedAt: Date): Date => addMs(updatedAt, days(KEPT_DAYS))

/**
 * `schemas`: those that went. `busy`: read models with tables that somebody fills, also between two tries, or keeps locked, or that
 * owe rows of an erasure.
 */
export type Dropped = { readonly schemas: readonly string[]; readonly busy: readonly string[] }

/**
 * Removes tables that nobody reads and nobody feeds: retired ones, and those of a rebuild that stopped or was left. Whatever
 * they hold of somebody who is erased would stay in them (decision 0008). With `old` only those that are kept for too long.
 */
export async function dropUnfollowed(pool: pg.Pool, which: 'all' | 'old'): Promise<Dropped> {
  const unread = (await listTargets(pool)).filter(({ state }) => state !== 'live')
  const [schemas, busy]: [string[], string[]] = [[], []]
  for (const name of new Set(unread.map((target) => target.name))) {
    const { gone, left } = await inTransaction(pool, (db) => dropOf(db, name, which)).catch((error: unknown) => {
      if (isTaken(error)) return { gone: [], left: true }
      throw error
    })
    schemas.push(...gone.map(schemaOf))
    if (left) busy.push(name)
  }
  const owing = which === 'all' ? await listOwing(pool) : []
  return { schemas, busy: [...new Set([...busy, ...owing])] }
}

async function dropOf(
  db: pg.PoolClient,
  name: string,
  which: 'all' | 'old',
): Promise<{ gone: readonly Target[]; left: boolean }> {
  const isFree = await lockTables(db, name)
  const live = await findLive(db, name)
  const isFilled = (await listFilled(db)).has(name)
  const { rows } = await db.query<Target & { isMoving: boolean }>(
    `select name, version, generation, state, updated_at > now() - interval '${PATIENT}' as "isMoving" from app.projection
     where name = $1 and state <> 'live' and ($2 or updated_at < now() - interval '${KEPT_DAYS} days')`,
    [name, which === 'all'],
  )
  // Without live ones a first filling goes on from where it was once somebody is there again.
  const isLeft = (isMoving: boolean) => (isFilled ? which === 'all' && !isMoving : live !== undefined || !isMoving)
  const gone = isFree ? rows.filter(({ state, isMoving }) => state === 'retired' || isLeft(isMoving)) : []
  for (const target of gone) await removeTarget(db, target)
  return { gone, left: gone.length < rows.length }
}

/** Nobody else makes, swaps or removes tables of it to the end of the transaction. False where somebody fills some. */
export async function lockTables(db: pg.PoolClient, name: string): Promise<boolean> {
  await db.query(`set local lock_timeout = '${PATIENCE}'`)
  // Whoever fills tables beside live ones holds this lock.
  const { rows } = await db.query<{ free: boolean }>(`select pg_try_advisory_xact_lock(${REBUILD_LOCK}) as free`, [
    name,
  ])
  await lockProjection(db, name)
  return rows[0]?.free === true
}
