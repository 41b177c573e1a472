import { spendingAlone } from '../../services/limits/spending.ts'

const MIB = 1024 * 1024
/** Bytes that are read of one network's bodies in a second, after a first while at any pace. */
const BYTES_PER_SECOND = 16 * MIB
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
 * leaves the processor and the disk to others.
 */
export class ReadPace {
  /** When all that was read of a network would have come at that pace. */
  private readonly dueAt = new Map<string, number>()

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
    const asked = Math.max(now, this.dueAt.get(network) ?? 0) + (bytes * 1_000) / BYTES_PER_SECOND
    const dueAt = Math.min(asked, now + AHEAD_MS + LONGEST_WAIT_MS)
    this.dueAt.set(network, dueAt)
    if (this.dueAt.size > REMEMBERED) this.forget(now)
    return dueAt - now
  }

  private forget(now: number): void {
    for (const [network, dueAt] of this.dueAt) if (dueAt <= now) this.dueAt.delete(network)
  }
}
