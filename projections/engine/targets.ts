import type pg from 'pg'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Projection } from '../projection.ts'
import { CheckpointConflict } from './apply.ts'
import { listRebuilding } from './care/rebuild-lock.ts'
import {
  deleteTarget,
  findLive,
  findTarget,
  inState,
  insertTarget,
  listTargets,
  lockProjection,
  schemaOf,
  setState,
  type Target,
} from './checkpoints.ts'
import { listFilled } from './leases.ts'
import { hasQuarantined } from './quarantine.ts'
import { belongs, listNoted, logEndOf, type Noted, setBackBehind, type TargetLog } from './set-back.ts'
import { createIndexes, createTables, dropTables, dropViewsOf, type Indexing, pointViews } from './tables.ts'
import { GIVES_WAY, inTransaction, isTaken } from './transaction.ts'

/** A swap that waits longer for who makes, feeds or removes tables gives way and is tried again. */
const PATIENCE_MS = 2_000
/** Readers come first: those that come while it waits for one wait behind it. */
const READERS_WAIT_MS = 100
/** Tables that somebody keeps locked for longer are left to the next swap, or to `dropUnfollowed`. */
const OLDER_MS = 100

/**
 * What a process has to do for a projection. `follow`: the live tables are of this code. `fill`: new tables are needed
 * first; `live` are those that readers see meanwhile. `wait`: newer code has live tables, or fills some.
 */
export type Assignment =
  | { readonly do: 'follow'; readonly target: Target; readonly live: Target }
  | { readonly do: 'fill'; readonly target: Target; readonly live: Target | undefined }
  | { readonly do: 'wait'; readonly live: Target | undefined; readonly newer: Target }

/**
 * `again`: new ones, although the live ones would do, for a caller that keeps other rebuilds out. `whole`: begun ones only as `takesUp`
 * has it.
 */
export type Asked = { readonly again?: boolean; readonly whole?: boolean }

/**
 * Whether a rebuild that stops at poisonous events takes up tables that were begun: not where others left some out. Beside
 * another version all do, and leave out what live has in quarantine.
 */
export async function takesUp(
  db: Pick<pg.ClientBase, 'query'>,
  begun: Target,
  live: Target | undefined,
): Promise<boolean> {
  if (live && live.version !== begun.version) return true
  return !(await hasQuarantined(db, begun))
}

/** Finds or makes the tables that this code feeds. */
export async function findOrMakeTarget(
  pool: pg.Pool,
  log: TargetLog,
  projection: Projection,
  { again = false, whole = false }: Asked = {},
): Promise<Assignment> {
  const seen = await findLive(pool, projection.name)
  // Later than what was seen, which is nowhere behind it.
  let end = await logEndOf(log)
  const isCurrent = (target: Target) => target.version === projection.version && belongs(target, end)
  const isNewer = ({ version }: Target) => version > projection.version
  const assigned = (live: Target | undefined, isWanted: boolean): Assignment | undefined => {
    if (live && isNewer(live)) return { do: 'wait', live, newer: live }
    if (live && isWanted && isCurrent(live)) return { do: 'follow', target: live, live }
    return undefined
  }
  const isGone = seen !== undefined && (await setBackBehind(pool, log, [seen], end)).length > 0
  const atOnce = isGone ? undefined : assigned(seen, !again)
  if (atOnce) return atOnce
  return inTransaction(pool, async (db) => {
    await db.query(`set local lock_timeout = '5s'`)
    await lockProjection(db, projection.name)
    // Others may have brought them on while the lock was waited for.
    const noted = await listNoted(db, log, projection.name)
    const known = noted.targets
    end = noted.end
    const live = inState(known, 'live')
    const swapped = assigned(live, live !== undefined && !(seen && isSame(live, seen)))
    if (swapped) return swapped
    const begun = inState(known, 'filling')
    if (
      begun &&
      isNewer(begun) &&
      (await isOfOthers(db, begun, { isNeeded: !live || !isCurrent(live), isAlone: again }))
    )
      return { do: 'wait', live, newer: begun }
    const isTakenUp = begun && isCurrent(begun) && (!whole || (await takesUp(db, begun, live)))
    return { do: 'fill', target: isTakenUp ? begun : await makeTarget(db, projection, noted), live }
  })
}

/**
 * Whether tables of newer code stay: somebody fills them, also between two tries, or nobody needs others (`isNeeded`). What a release
 * left that was rolled back keeps no older one waiting. `isAlone`: the caller keeps rebuilds out.
 */
export async function isOfOthers(
  db: Pick<pg.ClientBase, 'query'>,
  { name }: Target,
  { isNeeded, isAlone = false }: { readonly isNeeded: boolean; readonly isAlone?: boolean },
): Promise<boolean> {
  if (!isNeeded || (await listFilled(db)).has(name)) return true
  return !isAlone && (await listRebuilding(db)).has(name)
}

const isSame = (one: Target, other: Target) => schemaOf(one) === schemaOf(other)

/** Makes empty tables, and removes those of fillings that were given up. */
async function makeTarget(db: pg.ClientBase, projection: Projection, { targets: known, end }: Noted): Promise<Target> {
  const { name, version } = projection
  const generation = 1 + Math.max(0, ...known.filter((one) => one.version === version).map((one) => one.generation))
  for (const old of known.filter(({ state }) => state === 'filling')) await removeTarget(db, old)
  await insertTarget(db, { name, version, generation }, end.logId)
  const made = inState(await listTargets(db, name), 'filling')!
  await createTables(db, projection, made)
  return made
}

/** All indexes of a target that is being filled, or those that some look-ups need. */
export async function indexFilled(
  pool: pg.Pool,
  projection: Projection,
  target: Target,
  indexing?: Indexing,
): Promise<void> {
  await inTransaction(pool, async (db) => {
    await lockProjection(db, projection.name)
    if ((await findTarget(db, target))?.state === target.state) await createIndexes(db, projection, target, indexing)
  })
}

/**
 * Makes readers see the filled target, in one transaction. The live checkpoint is locked first and the target brought
 * to where it stands, so no reader sees time go back; `catchUp` does that in transactions of its own. Live waits for no reader who
 * stays: before it is locked, none is there. Throws CheckpointConflict when another process swapped first.
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
    const live = inState(known, 'live')
    const mine = known.find((one) => one !== live && isSame(one, target))
    if (mine?.state !== target.state) throw new CheckpointConflict(`${projection.name} was swapped`)
    if (live && live.logId !== null && live.logId === mine.logId) await catchUp(live.position)
    await lockOutReaders(db)
    if (live) {
      await dropViewsOf(db, live)
      await setState(db, live, 'retired')
    }
    await pointViews(db, projection.tables, mine)
    await setState(db, mine, 'live')
    return live ? known.filter((one) => one.state === 'retired' && one !== mine) : []
  }
  await inTransaction(pool, lockOutReaders)
  const older = await inTransaction(pool, swap, { ...GIVES_WAY, lockMs: PATIENCE_MS })
  // What readers saw before stays for a rollback, and nothing older.
  for (const target of older) await removeIfFree(pool, target)
}

async function lockOutReaders(db: pg.ClientBase): Promise<void> {
  await db.query(`set local lock_timeout = ${READERS_WAIT_MS}`)
  await db.query('lock table app.projection_swap in access exclusive mode')
}

async function removeIfFree(pool: pg.Pool, target: Target): Promise<void> {
  await removeAsIs(pool, target, OLDER_MS).catch((error: unknown) => {
    if (!isTaken(error)) throw error
  })
}

/** Removes a target, unless others have changed its state meanwhile: then the answer is false. Throws where they keep it locked. */
export function removeAsIs(pool: pg.Pool, target: Target, lockMs = PATIENCE_MS): Promise<boolean> {
  const removal = async (db: pg.ClientBase) => {
    await lockProjection(db, target.name)
    if ((await findTarget(db, target))?.state !== target.state) return false
    await removeTarget(db, target)
    return true
  }
  return inTransaction(pool, removal, { lockMs })
}

/** Its tables and all that is known of it. */
export async function removeTarget(db: pg.ClientBase, target: Target): Promise<void> {
  await dropViewsOf(db, target)
  await dropTables(db, target)
  await deleteTarget(db, target)
}
