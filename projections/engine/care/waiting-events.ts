import type pg from 'pg'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import { idOf, SAME, type Target } from '../checkpoints.ts'

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
