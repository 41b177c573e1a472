import type { MemberId } from '../domain/shared/ids.ts'
import { type Spending, spendingAlone } from '../services/limits/spending.ts'

type Rates = { readonly memberFramesPerSecond: number; readonly memberFrameBurst: number }
/** Frames that count still, as of then; fewer as time goes by. */
type Sent = { frames: number; at: number }

/** How many frames each member sends by all their sockets: ten of them would otherwise bring ten times what one may. */
export class MemberFrames {
  /** By member, in the order in which they sent last. */
  private readonly sent = new Map<MemberId, Sent>()

  constructor(
    private readonly rates: Rates,
    private readonly elsewhere: Spending = spendingAlone,
  ) {
    elsewhere.hear((member, frames) => this.add(member as MemberId, frames, performance.now()))
  }

  /** Takes so many, or answers false and takes none. `now` in milliseconds. */
  take(member: MemberId, frames: number, now = performance.now()): boolean {
    this.forget(now)
    if (this.of(member, now) + frames > this.rates.memberFrameBurst) return false
    this.add(member, frames, now)
    this.elsewhere.note(member, frames)
    return true
  }

  private of(member: MemberId, now: number): number {
    const sent = this.sent.get(member)
    return sent ? this.left(sent, now) : 0
  }

  private left({ frames, at }: Sent, now: number): number {
    return Math.max(0, frames - ((now - at) / 1_000) * this.rates.memberFramesPerSecond)
  }

  private add(member: MemberId, frames: number, now: number): void {
    const all = this.of(member, now) + frames
    this.sent.delete(member)
    this.sent.set(member, { frames: all, at: now })
  }

  private forget(now: number): void {
    for (const [member, sent] of this.sent) {
      if (this.left(sent, now) > 0) return
      this.sent.delete(member)
    }
  }
}
