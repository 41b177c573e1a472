import { spendingAlone } from '../../services/limits/spending.ts'

const MIB = 1024 * 1024
/** Bytes that are read of one network's bodies in a second, after a first while at any pace. */
const BYTES_PER_SECOND = 16 * MIB
/** Of all networks that are ahead of their pace at once: they share it, as neighbours share a line, down to the least of one. */
const ALL_BYTES_PER_SECOND = 32 * MIB
const LEAST_BYTES_PER_SECOND = MIB
/** For so long it stays as it was shared. */
const SHARED_MS = 20
const AHEAD_MS = 250
/** What came beyond that, in many small bodies, keeps large ones waiting for so long at most. */
const LONGEST_WAIT_MS = 2_000
/** A body's first bytes never wait: calls and forms are no longer. */
const UNPACED_BYTES = 64 * 1024
/** Networks that are remembered before those that sent nothing lately are forgotten. */
const REMEMBERED = 1_000

/** How long whoever reads a body waits after each of its pieces, in milliseconds. */
export type Pace = (bytes: number) => number

/**
 * Reads the bodies of one network no faster than a fast line brings them: whoever sends more waits as on a slower one, and
 * leaves the processor and the disk to others. Many networks at once share what the thread, the disk and the other processes
 * bear beside all else.
 */
export class ReadPace {
  /** When all that was read of a network would have come at that pace. */
  private readonly dueAt = new Map<string, number>()
  /** Bytes a second of each network. */
  private share = BYTES_PER_SECOND
  private shareUntil = Number.NEGATIVE_INFINITY

  constructor(
    private readonly now = () => performance.now(),
    private readonly elsewhere = spendingAlone,
  ) {
    elsewhere.hear((network, bytes) => void this.read(network, bytes))
  }

  /** For one body. */
  of(network: string): Pace {
    let received = 0
    return (bytes) => {
      received += bytes
      const ahead = this.read(network, bytes) - AHEAD_MS
      this.elsewhere.note(network, bytes)
      return received <= UNPACED_BYTES ? 0 : Math.max(0, ahead)
    }
  }

  /** By how many milliseconds the network is ahead of its pace with these bytes. */
  private read(network: string, bytes: number): number {
    const now = this.now()
    const before = this.dueAt.get(network) ?? 0
    if (before <= now || now >= this.shareUntil) this.shareOut(now, before <= now ? 1 : 0)
    const asked = Math.max(now, before) + (bytes * 1_000) / this.share
    const dueAt = Math.min(asked, now + AHEAD_MS + LONGEST_WAIT_MS)
    this.dueAt.set(network, dueAt)
    if (this.dueAt.size > REMEMBERED) this.forget(now)
    return dueAt - now
  }

  /** With so many that begin to be ahead. */
  private shareOut(now: number, ahead: number): void {
    for (const dueAt of this.dueAt.values()) if (dueAt > now) ahead += 1
    this.share = Math.min(BYTES_PER_SECOND, Math.max(LEAST_BYTES_PER_SECOND, ALL_BYTES_PER_SECOND / Math.max(1, ahead)))
    this.shareUntil = now + SHARED_MS
  }

  private forget(now: number): void {
    for (const [network, dueAt] of this.dueAt) if (dueAt <= now) this.dueAt.delete(network)
  }
}
