import { sql } from 'kysely'
import { hours } from '../../domain/shared/dates.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import type { Window } from './rates.ts'

/** `retryInMs`: until there is room for one of those that were not allowed. */
export type TakenEach = { allowed: ReadonlySet<string>; retryInMs?: number }
type Deps = { db: AppDb; now: Clock }
type Meeting = { key: string; items: readonly string[]; window: Window }
/** No class that counts distinct items has a longer window. */
const LONGEST_MS = hours(1)

/**
 * Lets in as many items as there is room for, the first first; those met before need none. One at a time for each key:
 * a function of the database counts, so that a page waits for it once.
 */
export async function meet({ db, now }: Deps, { key, items, window }: Meeting): Promise<TakenEach> {
  if (items.length === 0) return { allowed: new Set() }
  const windowMs = window.seconds * 1000
  const at = now()
  const since = new Date(at.getTime() - windowMs)
  const { rows } = await sql<{ allowed: string[]; oldest: Date | null }>`select allowed, oldest
    from app.meet(${key}, ${[...items]}::text[], ${at}, ${since}, ${window.points})`.execute(db)
  const { allowed = [], oldest = null } = rows[0] ?? {}
  if (allowed.length === new Set(items).size) return { allowed: new Set(allowed) }
  const first = Math.min(at.getTime(), oldest?.getTime() ?? at.getTime())
  return { allowed: new Set(allowed), retryInMs: Math.max(1, first + windowMs - at.getTime()) }
}

export async function sweepMet({ db, now }: Deps): Promise<number> {
  const over = new Date(now().getTime() - LONGEST_MS)
  const { numDeletedRows } = await db.deleteFrom('met').where('met_at', '<=', over).executeTakeFirst()
  return Number(numDeletedRows)
}
