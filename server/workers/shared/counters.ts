import { RateLimiterRes } from 'rate-limiter-flexible'
import { withTimeout } from '../../../eventstore/retry.ts'
import { type Counter, type CounterOptions, MemoryCounter } from '../../../services/limits/counters.ts'
import type { Channel } from '../channel.ts'

type Call = {
  readonly of: CounterOptions
  readonly does: 'consume' | 'get' | 'reward' | 'delete'
  readonly key: string
  readonly points: number
}
type Counted = { readonly left: number; readonly msBeforeNext: number; readonly consumed: number }
type Answer = { readonly refused: boolean; readonly counted: Counted | null }

/** A primary that is busy for longer is not waited for: the worker counts alone meanwhile. */
const ANSWER_MS = 1_000
const TOPIC = 'count'

/** A counter that all workers have in common: the primary counts. */
export function counterOf(channel: Channel): (options: CounterOptions) => Counter {
  return (of) => {
    const alone = new MemoryCounter(of)
    const ask = async (does: Call['does'], key: string, points: number) => {
      const call: Call = { of, does, key, points }
      const { refused, counted } = await withTimeout(channel.ask<Answer>(TOPIC, call), ANSWER_MS)
      const found = counted && new RateLimiterRes(counted.left, counted.msBeforeNext, counted.consumed, false)
      if (refused) throw found
      return found
    }
    const orAlone = <T>(asked: Promise<T>, own: () => Promise<T>) =>
      asked.catch((error: unknown) => {
        if (error instanceof RateLimiterRes) throw error
        return own()
      })
    return {
      points: of.points,
      consume: (key, points = 1) => orAlone(ask('consume', key, points), () => alone.consume(key, points)),
      get: (key) => orAlone(ask('get', key, 0), () => alone.get(key)),
      reward: (key, points = 1) => orAlone(ask('reward', key, points), () => alone.reward(key, points)),
      delete: (key) => orAlone<unknown>(ask('delete', key, 0), () => alone.delete(key)),
    }
  }
}

/** Counts for all workers. */
export function createCounters(): (channel: Channel) => void {
  const counters = new Map<string, MemoryCounter>()
  const counterFor = (options: CounterOptions) => {
    const known = counters.get(options.keyPrefix) ?? new MemoryCounter(options)
    counters.set(options.keyPrefix, known)
    return known
  }
  return (channel) =>
    channel.on(TOPIC, async ({ of, does, key, points }: Call): Promise<Answer> => {
      const counter = counterFor(of)
      try {
        const found =
          does === 'consume' || does === 'reward' ? await counter[does](key, points) : await counter[does](key)
        return { refused: false, counted: found instanceof RateLimiterRes ? countedIn(found) : null }
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        return { refused: true, counted: countedIn(error) }
      }
    })
}

const countedIn = ({ remainingPoints, msBeforeNext, consumedPoints }: RateLimiterRes): Counted => ({
  left: remainingPoints,
  msBeforeNext,
  consumed: consumedPoints,
})
