import type { RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import type { RealtimeLimits } from '../limits.ts'
import { type Absences, changesAccount } from '../rights/absences.ts'
import type { EventSource } from '../source.ts'
import { retract, retractionsOf } from './retractions.ts'
import type { Ring } from './ring.ts'

/** What was pushed, and who went away, between two positions of the log. */
export type Past = { readonly ring: Ring; readonly absences: Absences }

export type BackfillDeps = {
  readonly source: Pick<EventSource, 'earlierPosition'>
  readonly limits: Pick<RealtimeLimits, 'fillEvents' | 'fillAfterMs' | 'ringMs'>
  /** Reads what came after the first position, up to the second. Rejects where the log cannot be read, or the signal aborts. */
  readonly read: (after: Position, upTo: Position, signal: AbortSignal) => Promise<Past>
  /** A line of the program's log; never personal data. */
  readonly logLine: (line: string) => void
}
/** An event that takes something back of what is older, and to whom the end of a room is on its way by it. */
type Noted = { readonly event: RecordedEvent; readonly announced: readonly MemberId[] }

const nothing = (): void => undefined

/**
 * What a node knows of the time before its start is read while it takes sockets already: ten minutes may be many events. A
 * socket that resumes from there waits for it (api-contract §6.8).
 */
export class Backfill {
  private readonly noted: Noted[] = []
  private readonly stopping = new AbortController()
  private state: 'new' | 'waiting' | 'reading' | 'ended' = 'new'
  /** From where it reads, once that is known. */
  private from: Position | undefined
  private looking: Promise<void> = Promise.resolve()
  private running: Promise<void> = Promise.resolve()
  private begin = nothing
  private soon: NodeJS.Timeout | undefined

  /** `upTo`: where the node itself begins. */
  constructor(
    private readonly upTo: Position,
    private readonly deps: BackfillDeps,
  ) {}

  /** Notes what is newer than `upTo` and changes what is older. */
  note(event: RecordedEvent, announced: readonly MemberId[]): void {
    if (this.state === 'ended') return
    if (changesAccount(event.type) || retractionsOf(event).length > 0) this.noted.push({ event, announced })
  }

  /** `own`: what this node has since `upTo`, which gets what is before: soon, or as soon as somebody waits for it. */
  start(own: Past): void {
    this.state = 'waiting'
    this.begin = () => {
      if (this.state === 'waiting') this.running = this.read(own)
    }
    this.soon = setTimeout(() => this.begin(), this.deps.limits.fillAfterMs).unref()
  }

  /** Null where it is not read for this position, or no more. Ask again after it. */
  waitsFor(after: Position): Promise<void> | null {
    this.begin()
    if (this.state === 'new' || this.state === 'ended') return null
    if (this.from !== undefined && after < this.from) return null
    return this.from === undefined ? this.looking : this.running
  }

  async stop(): Promise<void> {
    clearTimeout(this.soon)
    this.stopping.abort()
    await this.running
  }

  private async read(own: Past): Promise<void> {
    this.state = 'reading'
    try {
      const looking = this.look()
      this.looking = looking.then(nothing, nothing)
      await this.take(await looking, own)
    } catch (error) {
      const why = error instanceof Error ? error.name : 'unknown'
      if (!this.stopping.signal.aborted) this.deps.logLine(`realtime: the past could not be read: ${why}`)
    } finally {
      this.state = 'ended'
      this.noted.length = 0
    }
  }

  private async look(): Promise<Position> {
    const { source, limits } = this.deps
    this.from = await source.earlierPosition(limits.fillEvents, new Date(Date.now() - limits.ringMs))
    return this.from
  }

  private async take(from: Position, own: Past): Promise<void> {
    if (from >= this.upTo) return
    const past = await this.deps.read(from, this.upTo, this.stopping.signal)
    for (const { event, announced } of this.noted) {
      retract(past.ring, event)
      past.absences.fold(event, announced)
    }
    // Where the node has let go of something since, what is older is of no use.
    if (own.ring.floor > this.upTo) return
    own.ring.precede(past.ring)
    own.absences.succeed(past.absences)
  }
}
