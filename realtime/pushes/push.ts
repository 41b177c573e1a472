import type { EventType, RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId, PairId } from '../../domain/shared/ids.ts'
import type { EventName, LiveEvents } from '../protocol.ts'

/** What one event pushes to some members; decides who and what, never sends. */
export type Push<N extends EventName = EventName> = {
  [K in N]: {
    readonly to: readonly MemberId[]
    readonly name: K
    readonly data: LiveEvents[K]
    /** The same for the same event and recipient. */
    readonly id: string
    /** Pushed only while rights allow it: the room is open, or at least none of the two blocked the other. */
    readonly about: { readonly pair: PairId; readonly needs: 'open' | 'unblocked' } | null
  }
}[N]

/** First names of members, as anyone may see them (api-contract §6.3). */
export type Names = ReadonlyMap<MemberId, string>

export type Pusher<T extends EventType> = {
  /** Members whose names it needs. */
  readonly names?: (event: RecordedEvent<T>) => readonly MemberId[]
  readonly push: (event: RecordedEvent<T>, names: Names) => readonly Push[]
  /** In place of that where the event is no news. */
  readonly silent?: (event: RecordedEvent<T>) => readonly Push[]
}
