/** Rounds of the event loop. So many without a connection: none waits. */
const QUIET = 3
/** Whoever opens connections without pause holds nobody up for longer. */
const MOST_MS = 300

/**
 * Node takes one connection from the port's queue in each round of its event loop. That queue knows no networks: with work
 * in every round all would stand in it, each behind whoever came before, and nobody could be given a turn.
 */
export class Arrivals {
  private taken = 0
  private settling: Promise<void> | undefined

  note(): void {
    this.taken += 1
  }

  /** Resolves once no connection waits to be taken, or after `MOST_MS`. */
  settled(): Promise<void> {
    this.settling ??= this.untilQuiet().finally(() => {
      this.settling = undefined
    })
    return this.settling
  }

  private async untilQuiet(): Promise<void> {
    const until = performance.now() + MOST_MS
    for (let quiet = 0; quiet < QUIET && performance.now() < until; ) {
      const before = this.taken
      await new Promise(setImmediate)
      quiet = this.taken === before ? quiet + 1 : 0
    }
  }
}
