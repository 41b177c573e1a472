/** Runs work of one name one after the other; different names do not wait for each other. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>

/** Spares commands on one stream in one process the races they would lose anyway. */
export function createQueues(): InTurn {
  const tails = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = tails.get(name) ?? Promise.resolve()
    const mine = before.then(work, work)
    const settled = mine.catch(() => undefined)
    tails.set(name, settled)
    try {
      return await mine
    } finally {
      if (tails.get(name) === settled) tails.delete(name)
    }
  }
}
