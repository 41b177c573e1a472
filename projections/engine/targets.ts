import type pg from 'pg'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { Log } from '../../eventstore/log.ts'
import type { Projection } from '../projection.ts'
import { deleteTarget, insertTarget, listTargets, lockProjection, schemaOf, type Target } from './checkpoints.ts'
import { createTables, dropTables, dropViewsOf } from './tables.ts'
import { inTransaction } from './transaction.ts'

/** Which log it is, and where it ends. */
export type LogEnd = { readonly logId: string; readonly head: Position }

export async function logEndOf(log: Pick<Log, 'id' | 'head'>): Promise<LogEnd> {
  return { logId: await log.id(), head: await log.head() }
}

/** A position means nothing in another log, nor in one that was set back behind it. */
export function belongs({ position, logId }: Target, end: LogEnd): boolean {
  return position === START || (logId === end.logId && position <= end.head)
}

/**
 * What a process has to do for a projection. `follow`: the live tables are of this code. `fill`: new tables are needed
 * first; `live` are those that readers see meanwhile. `wait`: newer code has live tables, or is filling some.
 */
export type Assignment =
  | { readonly do: 'follow'; readonly target: Target; readonly live: Target }
  | { readonly do: 'fill'; readonly target: Target; readonly live: Target | undefined }
  | { readonly do: 'wait'; readonly live: Target | undefined; readonly newer: Target }

/** Finds or makes the tables that this code feeds. `again` asks for new ones although the live ones would do. */
export async function findOrMakeTarget(
  pool: pg.Pool,
  log: Pick<Log, 'id' | 'head'>,
  projection: Projection,
  { again = false } = {},
): Promise<Assignment> {
  const live = (await listTargets(pool, projection.name)).find(({ state }) => state === 'live')
  const end = await logEndOf(log)
  const current = (target: Target) => target.version === projection.version && belongs(target, end)
  const isNewer = ({ version }: Target) => version > projection.version
  if (live && isNewer(live)) return { do: 'wait', live, newer: live }
  if (live && current(live) && !again) return { do: 'follow', target: live, live }
  return inTransaction(pool, async (db) => {
    await db.query(`set local lock_timeout = '5s'`)
    await lockProjection(db, projection.name)
    const known = await listTargets(db, projection.name)
    const now = known.find(({ state }) => state === 'live')
    if (now && schemaOf(now) !== (live && schemaOf(live)) && current(now))
      return { do: 'follow', target: now, live: now }
    // It went live since the first look.
    if (now && isNewer(now)) return { do: 'wait', live: now, newer: now }
    const begun = known.find(({ state }) => state === 'filling')
    // Newer code owns them.
    if (begun && isNewer(begun)) return { do: 'wait', live: now, newer: begun }
    const filling = begun && current(begun) ? begun : undefined
    return { do: 'fill', target: filling ?? (await makeTarget(db, projection, known)), live: now }
  })
}

/** Makes empty tables, and removes those of fillings that were given up. */
async function makeTarget(db: pg.ClientBase, projection: Projection, known: readonly Target[]): Promise<Target> {
  const { name, version } = projection
  const generation = 1 + Math.max(0, ...known.filter((one) => one.version === version).map((one) => one.generation))
  for (const old of known.filter(({ state }) => state === 'filling')) await removeTarget(db, old)
  await insertTarget(db, { name, version, generation })
  const made = (await listTargets(db, name)).find(({ state }) => state === 'filling')!
  await createTables(db, projection, made)
  return made
}

/** Its tables and all that is known of it. */
export async function removeTarget(db: pg.ClientBase, target: Target): Promise<void> {
  await dropViewsOf(db, target)
  await dropTables(db, target)
  await deleteTarget(db, target)
}
