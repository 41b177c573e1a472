import type pg from 'pg'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import { idOf, listTargets, SAME, type Target } from '../checkpoints.ts'
import { firstWaiting, storedOf } from './waiting-events.ts'

/** One event of a key in quarantine, as the log has it: encrypted fields stay so. */
export type QuarantinedEvent = { readonly stored: StoredEvent; readonly reason: string; readonly at: Date }

/** A key of a live projection in quarantine with its first events, oldest first, and how many there are; the first is the poisonous one. */
export type QuarantinedKey = {
  readonly target: Target
  readonly key: string
  readonly events: readonly QuarantinedEvent[]
  readonly total: number
}

/** Events of a key that are shown. */
const SHOWN = 1_000

/** The keys that hold this event or stream, or are this key, one for each live projection that quarantined them. */
export async function findQuarantined(
  { pool, log }: { readonly pool: pg.Pool; readonly log: Pick<Log, 'read'> },
  eventOrKey: string,
  name?: string,
): Promise<QuarantinedKey[]> {
  const found: QuarantinedKey[] = []
  const live = (await listTargets(pool, name)).filter(({ state }) => state === 'live')
  for (const target of live) {
    const { rows } = await pool.query<{ key: string; total: number }>(
      `select key, count(*)::integer as total from app.quarantine where ${SAME} and key in (
         select key from app.quarantine q where q.name = $1 and q.version = $2 and q.generation = $3
           and (event_id = $4 or key = $4 or stream = $4)) group by key`,
      [...idOf(target), eventOrKey],
    )
    for (const { key, total } of rows) found.push({ target, key, total, events: await shownOf(pool, log, target, key) })
  }
  return found
}

async function shownOf(
  pool: pg.Pool,
  log: Pick<Log, 'read'>,
  target: Target,
  key: string,
): Promise<QuarantinedEvent[]> {
  const rows = await firstWaiting(pool, target, key, SHOWN)
  const byId = new Map(rows.map((row) => [row.event_id, row]))
  return (await storedOf(log, rows)).map((stored) => {
    const { reason, at } = byId.get(stored.id)!
    return { stored, reason, at }
  })
}
