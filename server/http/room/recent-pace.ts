const KIB = 1024
/** What came counts half after so long. */
const HALF_LIFE_MS = 5_000
/** The sum of all weights, of time without an end. */
const MEAN_LIFE_MS = HALF_LIFE_MS / Math.LN2
/** As if so much had come before in so long: whoever has just begun is neither fast nor slow. */
const FIRST = { bytes: 64 * KIB, ms: 2_000 }

/** How fast something has come of late, whatever came before. */
export class RecentPace {
  private bytes = FIRST.bytes
  private ms = FIRST.ms
  private at: number

  constructor(private readonly now: () => number) {
    this.at = now()
  }

  add(bytes: number): void {
    this.pass()
    this.bytes += bytes
  }

  /** In bytes a millisecond. */
  get value(): number {
    this.pass()
    return this.bytes / this.ms
  }

  private pass(): void {
    const now = this.now()
    const left = 0.5 ** ((now - this.at) / HALF_LIFE_MS)
    this.bytes *= left
    this.ms = this.ms * left + MEAN_LIFE_MS * (1 - left)
    this.at = now
  }
}
