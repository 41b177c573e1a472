import { CompiledQuery, sql } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import type { AppDb } from '../app-db.ts'

export type CounterOptions = { readonly keyPrefix: string; readonly points: number; readonly duration: number }
/** Counts one window of a class, by key. */
export type Counter = {
  readonly points: number
  /** Rejects with what was counted where that was too many. */
  consume(key: string, points?: number): Promise<unknown>
  get(key: string): Promise<RateLimiterRes | null>
  /** Takes back at most what is counted: what never was, or in a window that is over, is no credit. */
  reward(key: string, points?: number): Promise<unknown>
  delete(key: string): Promise<unknown>
}

/** More than come at once of a connection whose sign-ins are right and get theirs back; what is refused stays counted. */
const FAR_OVER = 10

/** In the memory of this process. */
export class MemoryCounter extends RateLimiterMemory implements Counter {
  private rewarded: Promise<unknown> = Promise.resolve()

  /** One after the other: two that look at one count would both take it back. */
  override reward(key: string, points = 1): Promise<RateLimiterRes> {
    const reward = this.rewarded.then(async () => {
      const counted = await this.get(key)
      const most = counted && counted.msBeforeNext > 0 ? counted.consumedPoints : 0
      return super.reward(key, Math.min(points, most))
    })
    this.rewarded = reward
    return reward
  }
}

/** For all processes of a database; in memory while it does not answer. `resets`: a `delete` counts in all of them. */
export function databaseCounter(db: AppDb, options: CounterOptions, resets = false): Counter {
  const memory = new MemoryCounter(options)
  const limiter = new RateLimiterPostgres({
    ...options,
    storeClient: asClient(db),
    storeType: 'client',
    tableName: 'rate',
    tableCreated: true,
    clearExpiredByTimeout: false,
    // Those far over the limit cost no query, and hear no more of what is given back.
    ...(!resets && { inMemoryBlockOnConsumed: options.points * FAR_OVER }),
    insuranceLimiter: memory,
  })
  const takeBack = (key: string, points: number) =>
    db
      .updateTable('rate')
      .set({ points: sql`greatest(0, points - ${points}::integer)` })
      .where('key', '=', limiter.getKey(key))
      .execute()
  return {
    points: options.points,
    consume: (key, points) => limiter.consume(key, points),
    get: (key) => limiter.get(key),
    reward: (key, points = 1) => takeBack(key, points).catch(() => memory.reward(key, points)),
    delete: (key) => limiter.delete(key),
  }
}

/** The one method that the limiter asks of a client. */
function asClient(db: AppDb) {
  return {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: numAffectedRows === undefined ? rows.length : Number(numAffectedRows) }
    },
  }
}
