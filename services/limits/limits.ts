import { RateLimiterRes } from 'rate-limiter-flexible'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { type Counter, type CounterOptions, databaseCounter, MemoryCounter } from './counters.ts'
import { meet, sweepMet, type TakenEach } from './meet.ts'
import { RATES, type Rate, type RateClass } from './rates.ts'

export type LimitVerdict = { ok: true } | { ok: false; retryInMs: number }

/** Who may do what how often. `key` is a member, an address's key or an IP (an IPv6 /64). */
export type Limits = {
  /** No class holds, nor the wait behind a buzz that was taken back (`RATE_LIMITS=off`, and tools). */
  readonly lifted: boolean
  /** Counts, and answers whether it was within every window of the class. */
  take(rateClass: RateClass, key: string, points?: number): Promise<LimitVerdict>
  /**
   * As `take`, but the same item counts once: never more than the class's points of distinct ones within its first
   * window, whatever ends just then (profiles seen). Earlier items go first.
   */
  takeEach(rateClass: RateClass, key: string, items: readonly string[]): Promise<TakenEach>
  /** The same for one item. */
  takeDistinct(rateClass: RateClass, key: string, item: string): Promise<LimitVerdict>
  /** What `take` would answer, without counting. */
  peek(rateClass: RateClass, key: string): Promise<LimitVerdict>
  /** Gives points back, for what did not happen; nothing where their window is over. */
  giveBack(rateClass: RateClass, key: string, points?: number): Promise<void>
  reset(rateClass: RateClass, key: string): Promise<void>
  /** Forgets windows that are over. */
  sweep(): Promise<number>
}

const yes: LimitVerdict = { ok: true }

const ownMemory = (options: CounterOptions): Counter => new MemoryCounter(options)

/** `memory`: counts what comes with every request; by default for this process alone. */
type LimitsDeps = { db: AppDb; off?: boolean; now?: Clock; memory?: typeof ownMemory }

/** `off` lifts every class (`RATE_LIMITS=off`, local mode only). Counters of the database fall back to memory. */
export function createLimits(deps: LimitsDeps): Limits {
  const { db, off = false, now = () => new Date(), memory = ownMemory } = deps
  if (off) return unlimited
  const limiters = new Map<RateClass, Counter[]>()
  const of = (rateClass: RateClass) => {
    const known = limiters.get(rateClass) ?? makeCounters(db, rateClass, memory)
    limiters.set(rateClass, known)
    return known
  }

  /** From the short window to the long one: what a short one refuses does not use up the day. */
  async function take(rateClass: RateClass, key: string, points = 1): Promise<LimitVerdict> {
    for (const limiter of of(rateClass)) {
      const taken = await limiter.consume(key, points).then(() => yes, refusal)
      if (!taken.ok) return taken
    }
    return yes
  }

  const takeEach = (rateClass: RateClass, key: string, items: readonly string[]) =>
    meet({ db, now }, { key: `${rateClass}:${key}`, items, window: RATES[rateClass].windows[0] })

  return {
    lifted: false,
    take,
    takeEach,
    async takeDistinct(rateClass, key, item) {
      const { retryInMs } = await takeEach(rateClass, key, [item])
      return retryInMs === undefined ? yes : { ok: false, retryInMs }
    },
    async peek(rateClass, key) {
      for (const limiter of of(rateClass)) {
        const counted = await limiter.get(key)
        if (counted && counted.consumedPoints >= limiter.points) return refusal(counted)
      }
      return yes
    },
    async giveBack(rateClass, key, points = 1) {
      await Promise.all(of(rateClass).map((limiter) => limiter.reward(key, points)))
    },
    async reset(rateClass, key) {
      await Promise.all(of(rateClass).map((limiter) => limiter.delete(key)))
    },
    async sweep() {
      const { numDeletedRows } = await db.deleteFrom('rate').where('expire', '<', Date.now()).executeTakeFirst()
      return Number(numDeletedRows) + (await sweepMet({ db, now }))
    },
  }
}

const unlimited: Limits = {
  lifted: true,
  take: async () => yes,
  takeEach: async (_class, _key, items) => ({ allowed: new Set(items) }),
  takeDistinct: async () => yes,
  peek: async () => yes,
  giveBack: async () => undefined,
  reset: async () => undefined,
  sweep: async () => 0,
}

function refusal(error: unknown): LimitVerdict {
  if (!(error instanceof RateLimiterRes)) throw error
  return { ok: false, retryInMs: Math.max(1, Math.ceil(error.msBeforeNext)) }
}

function makeCounters(db: AppDb, rateClass: RateClass, inMemory: typeof ownMemory): Counter[] {
  const rate: Rate = RATES[rateClass]
  return rate.windows.map(({ points, seconds, memory = rate.memory }) => {
    const options = { keyPrefix: `${rateClass}/${seconds}`, points, duration: seconds }
    return memory ? inMemory(options) : databaseCounter(db, options, rate.resets)
  })
}
