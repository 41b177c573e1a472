import type { MemberId } from '../domain/shared/ids.ts'
import { spendingAlone } from '../services/limits/spending.ts'

const WINDOW_MS = 60_000

type Spent = { bytes: number; readonly until: number }

/** How much each member may have sent again: a short frame asks for much, and a socket may come back at once. */
export class ReplayBudget {
  /** By member, in the order in which the windows end. */
  private readonly spent = new Map<MemberId, Spent>()

  constructor(
    private readonly bytesPerMinute: number,
    private readonly elsewhere = spendingAlone,
  ) {
    elsewhere.hear((member, bytes) => this.spend(member as MemberId, bytes, performance.now()))
  }

  /** Takes so many bytes, or answers false and takes none. `now` in milliseconds. */
  take(member: MemberId, bytes: number, now = performance.now()): boolean {
    this.forget(now)
    if ((this.spent.get(member)?.bytes ?? 0) + bytes > this.bytesPerMinute) return false
    this.spend(member, bytes, now)
    this.elsewhere.note(member, bytes)
    return true
  }

  private spend(member: MemberId, bytes: number, now: number): void {
    const own = this.spent.get(member) ?? { bytes: 0, until: now + WINDOW_MS }
    own.bytes += bytes
    if (bytes > 0) this.spent.set(member, own)
  }

  private forget(now: number): void {
    for (const [member, { until }] of this.spent) {
      if (until > now) return
      this.spent.delete(member)
    }
  }
}
