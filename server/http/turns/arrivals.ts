/** Rounds of the event loop. So many without a connection: none waits. */
const QUIET = 3
/** Whoever opens connections without pause holds nobody up for longer. */
const MOST_MS = 200

/**
 * Each round of the event loop takes few connections from the port's queue (`listenMore`). That queue knows no networks: with
 * work in every round all would stand in it, each behind whoever came before, and nobody could be given a turn. Work waits
 * for them half of the time at most.
 */
export class Arrivals {
  private taken = 0
  private settling: Promise<void> | undefined
  private restsUntil = 0

  constructor(
    private readonly mostMs = MOST_MS,
    private readonly now = () => performance.now(),
  ) {}

  note(): void {
    this.taken += 1
  }

  /** Resolves once no connection waits to be taken, or after `MOST_MS`; at once for as long after that as it took. */
  async settled(): Promise<void> {
    if (!this.settling && this.now() < this.restsUntil) return
    const since = this.now()
    this.settling ??= this.untilNone().finally(() => {
      this.settling = undefined
      this.restsUntil = this.now() + (this.now() - since)
    })
    return this.settling
  }

  /** The same without a rest. */
  async untilNone(): Promise<void> {
    const since = this.now()
    for (let quiet = 0; quiet < QUIET && this.now() - since < this.mostMs; ) {
      const before = this.taken
      await new Promise(setImmediate)
      quiet = this.taken === before ? quiet + 1 : 0
    }
  }
}
