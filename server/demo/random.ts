/** A seeded source of chance: the same seed makes the same world. */
export type Chance = {
  /** 0 ≤ x < 1. */
  next(): number
  /** A whole number, both ends possible. */
  between(min: number, max: number): number
  pick<T>(items: readonly T[]): T
  /** Different items, in random order. */
  some<T>(items: readonly T[], count: number): T[]
  chance(probability: number): boolean
}

/** mulberry32 */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)]!,
    some(items, count) {
      const pool = [...items]
      return Array.from({ length: Math.min(count, pool.length) }, () => pool.splice(between(0, pool.length - 1), 1)[0]!)
    },
    chance: (probability) => next() < probability,
  }
}
