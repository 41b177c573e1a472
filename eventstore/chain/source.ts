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
  /** The newest revision of a stream, -1 when it holds nothing. */
  lastRevision(stream: string): Promise<number>
  /** Where the log is a table: what others of its readers connect to. */
  readonly database?: pg.ClientConfig
}
