import { type DraftCaps, type Sender, sharesOf } from '../../../services/media/draft-room.ts'
import { RecentPace } from './recent-pace.ts'

/** Who has less has nearly nothing. */
const LITTLE_BYTES = 256 * 1024

type Share = { readonly cap: number; used: number; readonly portions: Set<Portion> }

/** What one body has of the pool. `cut` ends it for others; null for one that is not on its way. */
export type Portion = {
  readonly sender: Sender
  readonly pace: RecentPace
  readonly shares: readonly Share[]
  bytes: number
  cut: (() => void) | null
}

/**
 * Room that bodies share, in memory or on disk. Where it is full, the slowest body on its way goes of whoever has most: of
 * all networks of the one with most, of its holders of the one with most. So whoever has little always has room, however many
 * others have all they can get. Up to twice as much is as much, so that small differences decide nothing.
 */
export class BodyPool {
  private readonly shares = new Map<string, Share>()

  constructor(
    private readonly caps: DraftCaps,
    private readonly now: () => number,
  ) {}

  enter(sender: Sender, pace = new RecentPace(this.now)): Portion {
    // The narrowest first: who goes there may leave enough of the others.
    const shares = sharesOf(sender, this.caps).map(([key, cap]) => this.shareOf(key, cap))
    const portion: Portion = { sender, pace, shares: shares.reverse(), bytes: 0, cut: null }
    for (const { portions } of shares) portions.add(portion)
    return portion
  }

  leave(portion: Portion): void {
    this.add(portion, -portion.bytes)
    for (const { portions } of portion.shares) portions.delete(portion)
    portion.cut = null
    for (const [key] of sharesOf(portion.sender, this.caps))
      if (this.shares.get(key)?.portions.size === 0) this.shares.delete(key)
  }

  /** False, and nothing taken, where no other body goes for it. */
  take(portion: Portion, bytes: number): boolean {
    const isRoom = portion.shares.every((share) => this.makeRoom(share, bytes, portion, null))
    if (isRoom) this.add(portion, bytes)
    return isRoom
  }

  /** The same for what has come already, and never goes for itself. */
  takeAnyway(portion: Portion, bytes: number): void {
    for (const share of portion.shares) this.makeRoom(share, bytes, portion, portion)
    this.add(portion, bytes)
  }

  give(portion: Portion, bytes: number): void {
    this.add(portion, -bytes)
  }

  private shareOf(key: string, cap: number): Share {
    const share = this.shares.get(key) ?? { cap, used: 0, portions: new Set() }
    this.shares.set(key, share)
    return share
  }

  private add(portion: Portion, bytes: number): void {
    portion.bytes += bytes
    for (const share of portion.shares) share.used += bytes
  }

  private makeRoom(share: Share, bytes: number, taker: Portion, spared: Portion | null): boolean {
    while (share.used + bytes > share.cap) {
      const next = bytes > share.cap ? undefined : this.nextToGo(share, spared)
      if (!next || next === taker) return false
      const { cut } = next
      this.leave(next)
      cut?.()
    }
    return true
  }

  private nextToGo({ portions }: Share, spared: Portion | null): Portion | undefined {
    const networks = sumsOf(portions, ({ network }) => network)
    const holders = sumsOf(portions, holderOf)
    const rank = ({ sender, pace }: Portion) =>
      [doublings(networks.get(sender.network)), doublings(holders.get(holderOf(sender))), -pace.value] as const
    const onTheirWay = [...portions].filter((one) => one.cut && one !== spared)
    return onTheirWay.map((one) => ({ one, its: rank(one) })).reduce(most, undefined)?.one
  }
}

type Ranked = { readonly one: Portion; readonly its: readonly [number, number, number] }

/** Of those alike the first. */
function most(before: Ranked | undefined, next: Ranked): Ranked {
  if (!before) return next
  const at = next.its.findIndex((rank, index) => rank !== before.its[index])
  return at >= 0 && next.its[at]! > before.its[at]! ? next : before
}

/** However far below a cap many have filled their shares, whoever has a fraction of that is not like them. */
const doublings = (bytes = 0) => Math.floor(Math.log2(1 + bytes / LITTLE_BYTES))

/** Who shows nothing is nobody's. */
const holderOf = ({ holder, network }: Sender) => (holder === null ? `network ${network}` : `holder ${holder}`)

function sumsOf(portions: Iterable<Portion>, of: (sender: Sender) => string): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { sender, bytes } of portions) sums.set(of(sender), (sums.get(of(sender)) ?? 0) + bytes)
  return sums
}
