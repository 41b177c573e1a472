/** An event as the client proposes it. Payload and metadata are opaque; `json` states only how clients read them. */
export type ProposedEvent = { id: string; type: string; json: boolean; data: Buffer; metadata: Buffer }

/**
 * An event as the log keeps it. `position` counts the whole log from 1 in commit order, `revision` counts the stream from 0,
 * both without gaps. `created` is in microseconds since 1970.
 */
export type StoredEvent = ProposedEvent & { position: number; stream: string; revision: number; created: number }

/** An empty payload. */
export const NOTHING: Buffer = Buffer.alloc(0)

/** The revision of the event that ends a stream for ever. Travels as the largest signed 64-bit number. */
export const TOMBSTONE = Number.MAX_SAFE_INTEGER

/** What the writer of an append believes about the stream: an exact last revision, or one of three states. */
export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists'

/** Answer to a write. A refusal stored nothing. `current` is the stream's last revision, -1 where it has no event. */
export type WriteOutcome =
  | { ok: true; revision: number; position: number }
  | { ok: false; reason: 'wrong-revision'; current: number }
  | { ok: false; reason: 'deleted' }
  | { ok: false; reason: 'timed-out' }

/** The stream whose events are the metadata of `stream`. */
export const metastreamOf = (stream: string): string => `$$${stream}`

export const isMetastream = (stream: string): boolean => stream.startsWith('$$')

/** The stream that a metastream speaks of. */
export const subjectOf = (metastream: string): string => metastream.slice(2)

const EVENT_OVERHEAD_BYTES = 200

/** Roughly what an event costs in memory. */
export const bytesOf = (event: ProposedEvent): number =>
  event.data.length + event.metadata.length + EVENT_OVERHEAD_BYTES
