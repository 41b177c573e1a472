import type { StoredEvent } from '../records.ts'

/** Where a read resumes: `from` is inclusive. */
export type PageRequest = { from: number; backwards: boolean; limit: number }

/** Events of one read. Pages end at a number of bytes too, so `more`, not the length, shows whether to ask again. */
export type Page = { events: StoredEvent[]; more: boolean }

/** What the store knows of a stream: its last revision (-1: no event) and the payload of its newest metadata event, empty unless it is JSON. */
export type StreamSummary = { last: number; metadata: Buffer | null }

/** The newest events of the log as ids only, oldest first. */
export type EventPosition = { id: string; stream: string; revision: number; position: number }

/**
 * Durable home of the log, with exactly one writer at a time.
 *
 * `open` takes the sole right to write, waiting a bounded time for another writer to die, and answers the last
 * position. After any failed `commit` the outcome is unknown: `open` must be called again before the next write.
 */
export type Storage = {
  open(): Promise<number>
  /** False from the moment the right to write is lost until the next `open`. */
  writable(): boolean
  /** Resolves once the connection that writes and one that reads have answered, with whether they could. */
  alive(): Promise<boolean>
  /** All events or none; durable once it resolves. */
  commit(events: StoredEvent[]): Promise<void>
  /** Summaries in the order of the names, seen by the writer. */
  summarise(streams: string[]): Promise<StreamSummary[]>
  /** One summary, seen by readers. */
  summaryOf(stream: string): Promise<StreamSummary>
  readStream(stream: string, page: PageRequest): Promise<Page>
  /** The same, seen by the writer: it waits for no reader. */
  readToWrite(stream: string, page: PageRequest): Promise<Page>
  readAll(page: PageRequest): Promise<Page>
  newestPositions(count: number): Promise<EventPosition[]>
  /** Called when the right to write is lost without a write under way. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

/** The storage broke while a write was under way or waited: it may be in the log or not. */
export class StorageLostError extends Error {
  override name = 'StorageLostError'
}
