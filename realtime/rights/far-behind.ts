import { backOff } from '../../eventstore/retry.ts'

export type FarBehindDeps = {
  /** Whether the read models have come to where this node remembers what followed; rejects where they cannot be asked. */
  readonly look: () => Promise<boolean>
  /** They have. */
  readonly ended: () => void
  /** A line of the program's log; never personal data. */
  readonly logLine: (line: string) => void
  readonly signal: AbortSignal
}

/**
 * The read models of rights stand at a position from before what this node remembers: whose account is not known here cannot
 * be known for now. One look at a time asks whether that has ended.
 */
export class FarBehind {
  is = false
  private over: Promise<void> = Promise.resolve()

  constructor(private readonly deps: FarBehindDeps) {}

  /** Rows were too old. */
  found(): void {
    if (this.is) return
    this.is = true
    this.deps.logLine(
      'realtime: read models of rights are too far behind: nobody new is let in, and news of others wait',
    )
    this.over = this.watch()
  }

  /** Resolves once it has ended, or the node stops; at once where it is not so. Whoever waits asks nobody meanwhile. */
  passed(): Promise<void> {
    return this.over
  }

  private async watch(): Promise<void> {
    const { look, ended, logLine, signal } = this.deps
    for (let attempt = 0; !signal.aborted; attempt++) {
      await backOff(attempt, signal)
      if (signal.aborted || !(await look().catch(() => false))) continue
      this.is = false
      logLine('realtime: read models of rights have caught up')
      ended()
      return
    }
  }
}
