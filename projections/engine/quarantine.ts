import type pg from 'pg'
import type { StoredEvent } from '../../eventstore/events.ts'
import { idOf, SAME, type Target } from './checkpoints.ts'

/** An event in quarantine, and why; the reason contains no personal data. */
export type Quarantined = { readonly stored: StoredEvent; readonly reason: string }

/** Why an event that could be applied is in quarantine. */
export const waitsBehind = (first: string): string => `waits behind ${first}`
export const isSound = (reason: string): boolean => reason.startsWith(waitsBehind(''))

/**
 * Events of one member, pair or case belong together, whichever of its streams they are in: after a poisonous one the others
 * wait with it. What comes after the first `-` of a stream's name is whose it is.
 */
export const partitionKeyOf = ({ stream }: Pick<StoredEvent, 'stream'>): string => stream.slice(stream.indexOf('-') + 1)

/** With more keys in quarantine the read model is at fault, and not an event. */
export const KEYS_MOST = 100

/** A read model would quarantine more than it may: it stops, and nothing more is lost from it. */
export class TooMuchPoison extends Error {
  override name = 'TooMuchPoison'
}

export async function quarantine(db: pg.ClientBase, target: Target, events: readonly Quarantined[]): Promise<void> {
  const column = (value: (one: Quarantined) => unknown) => events.map(value)
  await db.query(
    `insert into app.quarantine (name, version, generation, event_id, position, type, stream, revision, key, reason)
     select $1, $2, $3, u.* from
       unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::text[]) u
     on conflict do nothing`,
    [
      ...idOf(target),
      column(({ stored }) => stored.id),
      column(({ stored }) => stored.position),
      column(({ stored }) => stored.type),
      column(({ stored }) => stored.stream),
      column(({ stored }) => stored.revision),
      column(({ stored }) => partitionKeyOf(stored)),
      column(({ reason }) => reason),
    ],
  )
}

/** Why a target has this event in quarantine; null where it has not. */
export async function whyQuarantined(pool: pg.Pool, target: Target, { id }: StoredEvent): Promise<string | null> {
  const { rows } = await pool.query<{ reason: string }>(
    `select reason from app.quarantine where ${SAME} and event_id = $4`,
    [...idOf(target), id],
  )
  return rows[0]?.reason ?? null
}

/** Whether a target is without events that it should have. */
export async function hasQuarantined(db: Pick<pg.ClientBase, 'query'>, target: Target): Promise<boolean> {
  const { rowCount } = await db.query(`select from app.quarantine where ${SAME} limit 1`, idOf(target))
  return rowCount !== 0
}

/** An event that a target has failed on, and why other tables have it in quarantine; null where they have not. */
export type Failed = { readonly type: string; readonly reason: string | null }

/** Those up to where other tables of the same log are. */
export async function listFailed(pool: pg.Pool, target: Target, other: Target): Promise<Failed[]> {
  const { rows } = await pool.query<Failed>(
    `select distinct mine.type, its.reason from app.quarantine mine left join app.quarantine its
       on its.name = mine.name and its.version = $5 and its.generation = $6 and its.event_id = mine.event_id
     where mine.name = $1 and mine.version = $2 and mine.generation = $3
       and mine.position <= $4 and mine.reason not like '${waitsBehind('%')}'`,
    [...idOf(target), other.position, other.version, other.generation],
  )
  return rows
}

/** False when one of the keys is in quarantine no more: what waited there was applied meanwhile. */
export async function areQuarantined(
  db: pg.ClientBase,
  target: Target,
  waiting: readonly Quarantined[],
): Promise<boolean> {
  const keys = [...new Set(waiting.map(({ stored }) => partitionKeyOf(stored)))]
  const { rows } = await db.query<{ keys: number }>(
    `select count(*)::integer as keys from unnest($4::text[]) mine(key)
     where exists (select from app.quarantine q where ${SAME} and q.key = mine.key)`,
    [...idOf(target), keys],
  )
  return rows[0]?.keys === keys.length
}

/** The keys whose later events wait, with the first event of each; `events` counts all in quarantine. */
export async function quarantined(
  pool: pg.Pool,
  target: Target,
): Promise<{ keys: Map<string, string>; events: number }> {
  const { rows } = await pool.query<{ key: string; first: string; events: number }>(
    `select key, (array_agg(event_id order by position))[1] as first, count(*)::integer as events
     from app.quarantine where ${SAME} group by key`,
    idOf(target),
  )
  const keys = new Map(rows.map(({ key, first }) => [key, first]))
  return { keys, events: rows.reduce((sum, { events }) => sum + events, 0) }
}
