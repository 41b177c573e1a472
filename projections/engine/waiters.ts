type Waiter = { readonly condition: () => boolean; readonly settle: (met: boolean) => void }

/** Those who wait for something to come true; whoever changes it calls `look`. */
export class Waiters {
  private waiting = new Set<Waiter>()
  private closed = false

  get size(): number {
    return this.waiting.size
  }

  /** True once the condition holds, false when it does not within `ms` or nothing will change any more. */
  until(condition: () => boolean, ms?: number): Promise<boolean> {
    if (condition() || this.closed) return Promise.resolve(condition())
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => waiter.settle(false), ms)
      const waiter: Waiter = {
        condition,
        settle: (met) => {
          clearTimeout(timer)
          this.waiting.delete(waiter)
          resolve(met)
        },
      }
      this.waiting.add(waiter)
    })
  }

  look(): void {
    for (const waiter of this.waiting) if (waiter.condition()) waiter.settle(true)
  }

  close(): void {
    this.closed = true
    for (const waiter of this.waiting) waiter.settle(false)
  }
}
