const REMEMBERED = 1000

/** Milliseconds that were taken of late, by whoever took them. */
export type Recent = {
  of(who: string): number
  add(who: string, ms: number): void
  /** In place of what is less. */
  raise(who: string, ms: number): void
}

/** What was taken counts half after `halfLifeMs`. Of many, those are known who took some last. `clock`: since any moment. */
export function createRecent(halfLifeMs: number, clock: () => number = () => performance.now()): Recent {
  const times = new Map<string, { readonly ms: number; readonly at: number }>()
  const of = (who: string) => {
    const known = times.get(who)
    return known ? known.ms * 0.5 ** ((clock() - known.at) / halfLifeMs) : 0
  }
  const set = (who: string, ms: number) => {
    times.delete(who)
    times.set(who, { ms, at: clock() })
    const [oldest] = times.keys()
    if (times.size > REMEMBERED && oldest !== undefined) times.delete(oldest)
  }
  return {
    of,
    add: (who, ms) => set(who, of(who) + ms),
    raise: (who, ms) => set(who, Math.max(of(who), ms)),
  }
}
