import { limitsOf } from './limits.ts'
import type { StreamNow } from './source.ts'
import type { EventPoint } from './tuple.ts'

/** The revision of the event that ends a stream for ever. */
export const TOMBSTONE = Number.MAX_SAFE_INTEGER

/** The stream that a metadata stream speaks of; null for any other. */
export const subjectOf = (stream: string): string | null => (stream.startsWith('$$') ? stream.slice(2) : null)

/**
 * Whether an event may be gone: a scavenge takes what the stream's own metadata or its tombstone gave up, and nothing
 * else. Those are events of the log too and covered by the chain, so that nothing disappears without a trace.
 * `subject` is the stream that a metadata stream speaks of.
 */
export function mayBeGone(
  { revision, created }: EventPoint,
  now: Date,
  { own, subject }: { readonly own: StreamNow; readonly subject: StreamNow | null },
): boolean {
  if (subject) return own.last > revision || subject.last === TOMBSTONE
  if (own.last === TOMBSTONE) return revision !== TOMBSTONE
  const { before = 0, count = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = limitsOf(own.metadata)
  if (revision < before || revision <= own.last - count) return true
  return created / 1_000 < now.getTime() - seconds * 1_000
}
