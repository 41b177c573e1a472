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

/** Lets in as many items as there is room for; those met before need none. One at a time for each key. */
export async function meet({ db, now }: Deps, { key, items, window }: Meeting): Promise<TakenEach> {
  if (items.length === 0) return { allowed: new Set() }
  const windowMs = window.seconds * 1000
  return db.transaction().execute(async (tx) => {
    // A crash may forget the last moment's meetings; a deck need not wait for the disk.
    await sql`select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(
      tx,
    )
    const at = now()
    const since = new Date(at.getTime() - windowMs)
    const met = await tx
      .selectFrom('met')
      .select(['item', 'met_at'])
      .where('key', '=', key)
      .where('met_at', '>', since)
      .execute()
    const known = new Set(met.map(({ item }) => item))
    const asked = [...new Set(items)]
    const newcomers = asked.filter((item) => !known.has(item)).slice(0, Math.max(0, window.points - known.size))
    const allowed = new Set([...asked.filter((item) => known.has(item)), ...newcomers])
    if (allowed.size > 0) {
      await tx
        .insertInto('met')
        .values([...allowed].map((item) => ({ key, item, met_at: at })))
        .onConflict((conflict) => conflict.columns(['key', 'item']).doUpdateSet({ met_at: at }))
        .execute()
    }
    if (allowed.size === asked.length) return { allowed }
    const oldest = met.filter(({ item }) => !allowed.has(item)).map(({ met_at }) => met_at.getTime())
    return { allowed, retryInMs: Math.max(1, Math.min(at.getTime(), ...oldest) + windowMs - at.getTime()) }
  })
}

export async function sweepMet({ db, now }: Deps): Promise<number> {
  const over = new Date(now().getTime() - LONGEST_MS)
  const { numDeletedRows } = await db.deleteFrom('met').where('met_at', '<=', over).executeTakeFirst()
  return Number(numDeletedRows)
}
