import type pg from 'pg'
import { type Position, START } from '../../domain/shared/recorded.ts'
import type { Log } from '../../eventstore/log.ts'
import { type Anchor, type AnchorLog, isInLog } from './anchors.ts'
import {
  followBehindSetBack,
  identifyNoted,
  listTargets,
  lockProjection,
  noteSetBack,
  schemaOf,
  type Target,
} from './checkpoints.ts'
import { inTransaction, isTaken } from './transaction.ts'

/**
 * Which log it is, its last event for readers, and where it ends, which a scavenge leaves where it was: that keeps the last event
 * of a stream, and the end of one that has ended.
 */
export type LogEnd = { readonly logId: string; readonly head: Position; readonly end: Position }

export async function logEndOf(log: Pick<Log, 'id' | 'head' | 'end'>): Promise<LogEnd> {
  return { logId: await log.id(), head: await log.head(), end: await log.end() }
}

/**
 * Which log it is, and of what life: another once it was noted that the log was set back, which its id outlives. All processes
 * know the same one, and a restart changes nothing.
 */
export async function epochOf(pool: Pick<pg.Pool, 'query'>, log: Pick<Log, 'id'>): Promise<string> {
  const logId = await log.id()
  const { rows } = await pool.query<{ id: string }>('select id from app.set_back where log_id = $1', [logId])
  return rows[0] ? `${logId}.${rows[0].id}` : logId
}

/** What it takes to know whether tables are of a log. */
export type TargetLog = AnchorLog & Pick<Log, 'id' | 'head' | 'end'>

type Db = Pick<pg.ClientBase, 'query'>

/** A position means nothing in another log, nor in one that was set back behind it. */
export function belongs({ position, logId }: Target, of: LogEnd): boolean {
  return position === START || (logId === of.logId && position <= of.end)
}

/** Of each set of tables of these projections, by schema. */
async function listAnchors(db: Db, names: readonly string[]): Promise<Map<string, Anchor>> {
  const { rows } = await db.query<Target & { anchor: Anchor | null }>(
    `select t.name, t.version, t.generation, c.anchor
     from app.projection_target t cross join lateral app.newest_checkpoint(t.name, t.version, t.generation) c
     where t.name = any($1)`,
    [names],
  )
  return new Map(rows.flatMap(({ anchor, ...target }) => (anchor ? [[schemaOf(target), anchor]] : [])))
}

/** Those of this log that it was set back behind; `end` is later than the targets were looked at. */
export async function setBackBehind(
  db: Db,
  log: AnchorLog,
  targets: readonly Target[],
  end: LogEnd,
): Promise<Target[]> {
  if (targets.length === 0) return []
  const anchors = await listAnchors(db, [...new Set(targets.map(({ name }) => name))])
  // Those that went together over the log know the same event.
  const asked = new Map<string, Promise<boolean>>()
  const isKnown = (target: Target) => {
    const anchor = anchors.get(schemaOf(target))
    if (!anchor) return true
    const key = JSON.stringify(anchor)
    if (!asked.has(key)) asked.set(key, isInLog(log, anchor))
    return asked.get(key)
  }
  const gone: Target[] = []
  for (const target of targets.filter(({ logId }) => logId === end.logId))
    if (!belongs(target, end) || !(await isKnown(target))) gone.push(target)
  return gone
}

/** Targets as they are once it is noted which of them the log was set back behind, and where it ends. */
export type Noted = { readonly targets: Target[]; readonly end: LogEnd }

/** The tables of a projection, those noted that this log was set back behind; in a transaction that has its lock. */
export async function listNoted(db: Db, log: TargetLog, name: string): Promise<Noted> {
  const there = await listTargets(db, name)
  const end = await logEndOf(log)
  const gone = await setBackBehind(db, log, there, end)
  const targets: Target[] = []
  for (const target of there) targets.push(gone.includes(target) ? await noteSetBack(db, target) : target)
  return { targets, end }
}

const PATIENCE_MS = 5_000

export const listNotedAlone = (pool: pg.Pool, log: TargetLog, name: string): ReturnType<typeof listNoted> =>
  inTransaction(
    pool,
    async (db) => {
      await lockProjection(db, name)
      return listNoted(db, log, name)
    },
    { lockMs: PATIENCE_MS },
  )

/**
 * Of all projections, those of other releases too, before the process feeds or asks any: whoever feeds them notes their own alone, and
 * they may be fed by nobody. Waits for whoever keeps tables locked that it has to note; `onWait` hears of that each time.
 */
export async function noteSetBacks(
  pool: pg.Pool,
  log: TargetLog,
  onWait: (error: unknown) => void = () => undefined,
): Promise<void> {
  const there = await listTargets(pool)
  const end = await logEndOf(log)
  const inTurn = (work: (db: Db) => Promise<unknown>) => untilFree(pool, work, onWait)
  for (const target of await setBackBehind(pool, log, there, end)) await inTurn((db) => noteSetBack(db, target))
  // Behind the notes: what is of this log still has seen all of them.
  await inTurn((db) => identifyNoted(db, end.logId))
  await inTurn((db) => followBehindSetBack(db, end.logId))
}

/** Again for as long as others keep locked what it needs. */
async function untilFree(
  pool: pg.Pool,
  work: (db: Db) => Promise<unknown>,
  onWait: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    try {
      return void (await inTransaction(pool, work, { lockMs: PATIENCE_MS }))
    } catch (error) {
      if (!isTaken(error)) throw error
      onWait(error)
    }
  }
}
