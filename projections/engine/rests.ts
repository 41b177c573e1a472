const FIRST_MS = 2_000
const LONGEST_MS = 60_000

/** How long somebody rests who has stopped for the same reason as the last time: longer each time. */
export class Rests {
  private reason: string | null = null
  private ms = 0

  constructor(private readonly firstMs = FIRST_MS) {}

  /** In milliseconds; none where it was another reason the last time. */
  after(reason: string): number {
    this.ms = reason === this.reason ? Math.min(this.ms * 2 || this.firstMs, LONGEST_MS) : 0
    this.reason = reason
    return this.ms
  }
}
