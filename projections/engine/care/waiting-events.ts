import type pg from 'pg'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import { idOf, SAME, type Target } from '../checkpoints.ts'
import { waitsBehind } from '../quarantine.ts'

/** An event in quarantine, by its place in the log. */
export type WaitingRow = {
  readonly event_id: string
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly reason: string
  readonly at: Date
}

type Db = Pick<pg.ClientBase, 'query'>
const COLUMNS = 'event_id, stream, revision::integer as revision, position, reason, at'

/** The first events of a key that wait, in log order. */
export async function firstWaiting(db: Db, target: Target, key: string, most: number): Promise<WaitingRow[]> {
  const { rows } = await db.query<WaitingRow>(
    `select ${COLUMNS} from app.quarantine where ${SAME} and key = $4 order by position limit $5`,
    [...idOf(target), key, most],
  )
  return rows
}

/** All events of a key that wait behind a position, of some types, in log order. */
export async function waitingBehind(
  db: Db,
  target: Target,
  key: string,
  after: Position,
  types: readonly string[],
): Promise<WaitingRow[]> {
  const { rows } = await db.query<WaitingRow>(
    `select ${COLUMNS} from app.quarantine where ${SAME} and key = $4 and position > $5 and type = any($6) order by position`,
    [...idOf(target), key, after, types],
  )
  return rows
}

type Key = { readonly target: Target; readonly key: string }

/** Why an event of a key is poison; what is sound waits behind it from here on. */
export async function noteReason(
  db: Db,
  { target, key }: Key,
  { event_id, position }: WaitingRow,
  reason: string,
): Promise<void> {
  await db.query(
    `update app.quarantine set reason = case when event_id = $5 then $7 else $8 end where ${SAME} and key = $4
       and (event_id = $5 or (position > $6 and reason like '${waitsBehind('%')}' and reason <> $8))`,
    [...idOf(target), key, event_id, position, reason, waitsBehind(event_id)],
  )
}

/** Events of a key are in the rows, ahead of the first one that waits: as what went ahead when it came. */
export async function noteApplied(db: Db, { target, key }: Key, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return
  const [first] = await firstWaiting(db, target, key, 1)
  if (!first) return
  await db.query(`update app.quarantine set reason = $4 where ${SAME} and event_id = any($5) and event_id <> $6`, [
    ...idOf(target),
    waitsBehind(first.event_id),
    events.map(({ id }) => id),
    first.event_id,
  ])
}

/** How far two events of a stream may be apart to be read in one call. */
const NEAR = 100
/** Events in one call. */
const PAGE = 500

/** What the log has of rows in log order; only what lies between near ones is read with them. */
export async function storedOf(log: Pick<Log, 'read'>, rows: readonly WaitingRow[]): Promise<StoredEvent[]> {
  const wanted = new Set(rows.map(({ event_id }) => event_id))
  const found: StoredEvent[] = []
  for (const { stream, first, last } of runsOf(rows)) {
    for (let from = first; from <= last; from += PAGE) {
      const read = await log.read(stream, from, undefined, Math.min(PAGE, last - from + 1))
      found.push(...read.filter(({ id }) => wanted.has(id)))
    }
  }
  return inLogOrder(found)
}

type Run = { readonly stream: string; readonly first: number; last: number }

function runsOf(rows: readonly WaitingRow[]): Run[] {
  const runs: Run[] = []
  const open = new Map<string, Run>()
  for (const { stream, revision } of [...rows].sort((a, b) => a.revision - b.revision)) {
    const run = open.get(stream)
    if (run && revision - run.last <= NEAR) {
      run.last = revision
      continue
    }
    const next = { stream, first: revision, last: revision }
    open.set(stream, next)
    runs.push(next)
  }
  return runs
}

export const inLogOrder = <T extends { readonly position: Position }>(events: readonly T[]): T[] =>
  [...events].sort((a, b) => (a.position < b.position ? -1 : 1))
