import type { MemberId } from '../domain/shared/ids.ts'

const WINDOW_MS = 60_000

type Spent = { bytes: number; readonly until: number }

/** How much each member may have sent again: a short frame asks for much, and a socket may come back at once. */
export class ReplayBudget {
  /** By member, in the order in which the windows end. */
  private readonly spent = new Map<MemberId, Spent>()

  constructor(private readonly bytesPerMinute: number) {}

  /** Takes so many bytes, or answers false and takes none. `now` in milliseconds. */
  take(member: MemberId, bytes: number, now = performance.now()): boolean {
    this.forget(now)
    const own = this.spent.get(member) ?? { bytes: 0, until: now + WINDOW_MS }
    if (own.bytes + bytes > this.bytesPerMinute) return false
    own.bytes += bytes
    if (bytes > 0) this.spent.set(member, own)
    return true
  }

  private forget(now: number): void {
    for (const [member, { until }] of this.spent) {
      if (until > now) return
      this.spent.delete(member)
    }
  }
}
