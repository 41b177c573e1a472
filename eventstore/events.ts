import type { Position } from '../domain/shared/recorded.ts'

/** What goes into the log: encrypted and serialisable, no BigInt. */
export type StorableEvent = {
  readonly id: string
  readonly type: string
  readonly data: Record<string, unknown>
  readonly metadata: Record<string, unknown>
}

/** What comes back. */
export type StoredEvent = StorableEvent & {
  readonly stream: string
  readonly revision: number
  readonly position: Position
  readonly recordedAt: Date
}

/** The revision that the stream must be at: the last event's, or `no_stream` for a stream that must not exist. */
export type Expected = number | 'no_stream'
export type Appended = { readonly revision: number; readonly position: Position }
