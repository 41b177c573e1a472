import type pg from 'pg'
import { type Codec, UndecodableEvent } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import type { Log } from '../../../eventstore/log.ts'
import type { Projection } from '../../projection.ts'
import { applyEvents } from '../apply.ts'
import { findTarget, idOf, listTargets, lockTarget, SAME, type Target } from '../checkpoints.ts'
import { listOwed } from '../owed/owed.ts'
import { Debts } from '../owed/pay.ts'
import { isPoison, reasonOf } from '../poison.ts'
import { GIVES_WAY, inTransaction } from '../transaction.ts'

/** One event of a key in quarantine, as the log has it: sealed fields stay sealed. */
export type QuarantinedEvent = { readonly stored: StoredEvent; readonly reason: string; readonly at: Date }

/** A key of a live projection in quarantine with its events, oldest first; the first is the poisonous one. */
export type QuarantinedKey = {
  readonly target: Target
  readonly key: string
  readonly events: readonly QuarantinedEvent[]
}

export type QuarantineDeps = { readonly pool: pg.Pool; readonly log: Pick<Log, 'read'>; readonly codec: Codec }

/** Applied, or why it is still poison. */
export type Retried = { readonly quarantined: QuarantinedKey; readonly applied: number; readonly reason: string | null }

type Row = { event_id: string; stream: string; revision: number; reason: string; at: Date; key: string }

/** The keys that hold this event or stream, or are this key, one for each live projection that quarantined them. */
export async function findQuarantined(
  { pool, log }: QuarantineDeps,
  eventOrKey: string,
  name?: string,
): Promise<QuarantinedKey[]> {
  const found: QuarantinedKey[] = []
  const live = (await listTargets(pool, name)).filter(({ state }) => state === 'live')
  for (const target of live) {
    const { rows } = await pool.query<Row>(
      `select event_id, stream, revision::integer as revision, reason, at, key from app.quarantine
       where ${SAME} and key in (
         select key from app.quarantine q where q.name = $1 and q.version = $2 and q.generation = $3
           and (event_id = $4 or key = $4 or stream = $4)) order by position`,
      [...idOf(target), eventOrKey],
    )
    if (rows.length > 0) found.push({ target, key: rows[0]!.key, events: await eventsOf(log, rows) })
  }
  return found
}

async function eventsOf(log: Pick<Log, 'read'>, rows: readonly Row[]): Promise<QuarantinedEvent[]> {
  const wanted = new Map(rows.map((row) => [row.event_id, row]))
  const streams = [...new Set(rows.map(({ stream }) => stream))]
  const read = await Promise.all(
    streams.map((stream) => {
      const revisions = rows.filter((row) => row.stream === stream).map(({ revision }) => revision)
      const [first, last] = [Math.min(...revisions), Math.max(...revisions)]
      return log.read(stream, first, undefined, last - first + 1)
    }),
  )
  const events = read.flat().flatMap((event) => {
    const row = wanted.get(event.id)
    return row ? [{ stored: event, reason: row.reason, at: row.at }] : []
  })
  return events.sort((a, b) => (a.stored.position < b.stored.position ? -1 : 1))
}

/** The erasures of the members that the key names, which did not wait in quarantine. */
async function erasuresOf(log: Pick<Log, 'read'>, key: string): Promise<StoredEvent[]> {
  const streams = key.split('_').map((id) => log.read(`member-${id}`))
  return (await Promise.all(streams)).flat().filter(({ type }) => type === 'AccountErased')
}

/**
 * Applies the events of a key, in order and in one transaction, and releases the key; a projector that has it in memory
 * finds that out with its next event. What erasures have left to later is paid before, piece by piece. Nothing changes when an
 * event of it is still poison.
 */
export async function retryQuarantined(
  deps: QuarantineDeps,
  projection: Projection,
  quarantined: QuarantinedKey,
): Promise<Retried> {
  const { target } = quarantined
  try {
    for (;;) {
      await new Debts({ pool: deps.pool, projection }, () => target).payAll()
      const applied = await applyUnlessOwing(deps, projection, quarantined)
      if (applied !== null) return { quarantined, applied, reason: null }
    }
  } catch (error) {
    if (!isPoison(error) && !(error instanceof UndecodableEvent)) throw error
    return { quarantined, applied: 0, reason: reasonOf(error) }
  }
}

/** How many events; null, and nothing is changed, where another erasure has come and left something to later. */
async function applyUnlessOwing(
  deps: QuarantineDeps,
  projection: Projection,
  { target, key }: QuarantinedKey,
): Promise<number | null> {
  const work = async (db: pg.ClientBase) => {
    await lockTarget(db, target)
    if ((await findTarget(db, target))?.state !== 'live') throw new Error(`${target.name} was swapped meanwhile.`)
    if ((await listOwed(db, target)).length > 0) return null
    // Includes the events that were quarantined before the lock was taken.
    const now = (await findQuarantined(deps, key, target.name))[0]?.events ?? []
    const waited = now.map(({ stored }) => stored)
    const known = new Set(waited.map(({ id }) => id))
    const passed = (await erasuresOf(deps.log, key)).filter(({ id }) => !known.has(id))
    const all = [...waited, ...passed].sort((a, b) => (a.position < b.position ? -1 : 1))
    await applyEvents(db, { projection, target }, await deps.codec.decode(all))
    await db.query(`delete from app.quarantine where ${SAME} and key = $4`, [...idOf(target), key])
    return waited.length
  }
  return inTransaction(deps.pool, work, GIVES_WAY)
}
