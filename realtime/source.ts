import type { Position } from '../domain/shared/recorded.ts'
import type { StoredEvent } from '../eventstore/events.ts'

/** What a node needs of the log; a process that has other followers passes their shared feed. */
export type EventSource = {
  /** The whole log after a position, for ever, until the signal aborts. */
  follow(after: Position, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]>
  head(): Promise<Position>
  /** One stream from a revision on, oldest first; all of it, or so many. */
  read(stream: string, from?: number, limit?: number): Promise<readonly StoredEvent[]>
  /**
   * A position some way back: at least `events` events before the end, and before all that is younger than `since`;
   * START when the log is shorter.
   */
  earlierPosition(events: number, since: Date): Promise<Position>
  /** Distinguishes this log from any other, and from itself before it was set back. At most 64 characters. */
  epoch(): Promise<string>
  /** The epoch of a log that was never set back. */
  firstEpoch(): Promise<string>
}
