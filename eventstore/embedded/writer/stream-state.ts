import { isMetastream, TOMBSTONE } from '../records.ts'
import type { StreamSummary } from '../storage/storage.ts'
import { type Retention, retentionFrom } from './stream-metadata.ts'

/** A stream as the writer sees it: last revision (-1: no event) and metadata, null where none was ever written. */
export type StreamState = { last: number; retention: Retention | null }

/** What a reader may see of a stream: revisions from `first` to `last`, created at `since` (microseconds) or later. */
export type Visible = { first: number; last: number; since: number; deleted: boolean; exists: boolean }

/** A metastream shows its newest event alone, whatever its own metadata are. */
const OF_METADATA: Retention = { maxCount: 1 }

export const stateFrom = (stream: string, { last, metadata }: StreamSummary): StreamState => ({
  last,
  retention: metadata && retentionOf(stream, metadata),
})

/** What metadata of a stream come to. */
export const retentionOf = (stream: string, metadata: Buffer): Retention =>
  isMetastream(stream) ? OF_METADATA : retentionFrom(metadata)

/** A deleted stream reads as absent and may still be written again, unlike a tombstoned one. */
export const isSoftDeleted = (state: StreamState): boolean => state.retention?.deletedBy !== undefined

/** Applies the metadata of a stream. */
export function visibleOf(stream: string, state: StreamState, nowMs: number): Visible {
  const { maxCount, maxAgeSeconds, truncateBefore = 0 } = isMetastream(stream) ? OF_METADATA : (state.retention ?? {})
  return {
    first: Math.max(truncateBefore, maxCount ? state.last - maxCount + 1 : 0, 0),
    last: state.last,
    since: maxAgeSeconds ? Math.max((nowMs - maxAgeSeconds * 1000) * 1000, 0) : 0,
    deleted: state.last === TOMBSTONE,
    exists: state.last >= 0 && !isSoftDeleted(state),
  }
}
