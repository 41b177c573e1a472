import { isMetastream, TOMBSTONE } from '../records.ts'
import type { StreamSummary } from '../storage/storage.ts'

/** Metadata keys that decide what a reader still sees. `raw` keeps what a rewrite of the metadata must not lose. */
export type Retention = {
  maxCount?: number
  maxAgeSeconds?: number
  truncateBefore?: number
  raw: Record<string, unknown>
}

/** A stream as the writer sees it: last revision (-1: no event) and metadata, null where none was ever written. */
export type StreamState = { last: number; retention: Retention | null }

/** What a reader may see of a stream: revisions from `first` to `last`, created at `since` (microseconds) or later. */
export type Visible = { first: number; last: number; since: number; deleted: boolean; exists: boolean }

/** A deleted stream is truncated before every possible revision; it may still be written again, unlike a tombstoned one. */
export const SOFT_DELETED = TOMBSTONE

/** What a delete writes into the metadata, and JSON.parse reads back as a number above `SOFT_DELETED`. */
const SOFT_DELETED_JSON = '9223372036854775807'

export const stateFrom = (summary: StreamSummary): StreamState => ({
  last: summary.last,
  retention: summary.metadata && retentionFrom(summary.metadata),
})

export const isSoftDeleted = (state: StreamState): boolean => state.retention?.truncateBefore === SOFT_DELETED

/** Reads metadata leniently, as the client writes it freely: what is not a number limits nothing. */
export function retentionFrom(metadata: Buffer): Retention {
  const raw = parsedObject(metadata)
  const retention: Retention = { raw }
  if (typeof raw.$maxCount === 'number') retention.maxCount = raw.$maxCount
  if (typeof raw.$maxAge === 'number') retention.maxAgeSeconds = raw.$maxAge
  if (typeof raw.$tb === 'number') retention.truncateBefore = Math.min(raw.$tb, SOFT_DELETED)
  return retention
}

/** The metadata with only its truncation changed. */
export function truncatedBefore(retention: Retention | null, revision: number): Buffer {
  const { $tb: _, ...rest } = retention?.raw ?? {}
  const others = JSON.stringify(rest).slice(1, -1)
  const truncation = `"$tb":${revision >= SOFT_DELETED ? SOFT_DELETED_JSON : revision}`
  return Buffer.from(`{${others ? `${others},` : ''}${truncation}}`)
}

/** Applies the metadata of a stream; a metastream itself shows its newest event only. */
export function visibleOf(stream: string, state: StreamState, nowMs: number): Visible {
  const { maxCount = isMetastream(stream) ? 1 : undefined, maxAgeSeconds, truncateBefore = 0 } = state.retention ?? {}
  return {
    first: Math.max(truncateBefore, maxCount ? state.last - maxCount + 1 : 0, 0),
    last: state.last,
    since: maxAgeSeconds ? (nowMs - maxAgeSeconds * 1000) * 1000 : 0,
    deleted: state.last === TOMBSTONE,
    exists: state.last >= 0 && !isSoftDeleted(state),
  }
}

function parsedObject(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return value !== null && typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}
