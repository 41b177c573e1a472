import type pg from 'pg'
import type { Tuple } from './tuple.ts'

/** How much of the log is read: events after `after` up to `to`, at most `limit` of them. */
export type Span = { readonly after: number; readonly to: number; readonly limit?: number }

/** The log as the chain reads it: every event of the product and the metadata of its streams, by position. */
export type ChainSource = {
  /** Position of the newest event; 0 in an empty log. */
  head(signal?: AbortSignal): Promise<number>
  /** Hands over the span in log order; a tuple is valid during its call alone. Answers how many there were. */
  each(span: Span, take: (tuple: Tuple) => void, signal?: AbortSignal): Promise<number>
  streamNow(stream: string): Promise<StreamNow>
  /** Where the log is a table: what others of its readers connect to. */
  readonly database?: pg.ClientConfig
}

/** The current state of a stream, as far as it decides what may be missing from it. */
export type StreamNow = {
  /** Its newest revision, -1 when it holds nothing, `TOMBSTONE` once it ended for ever. */
  readonly last: number
  /** Data of its newest metadata event; null where there is none, or where it is not JSON. */
  readonly metadata: Buffer | null
}
