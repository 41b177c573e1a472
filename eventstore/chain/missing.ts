import type { StreamNow } from './source.ts'
import type { EventPoint } from './tuple.ts'

/** The revision of the event that ends a stream for ever. */
export const TOMBSTONE = Number.MAX_SAFE_INTEGER

type Limits = { $tb?: unknown; $maxCount?: unknown; $maxAge?: unknown }

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
  const { $tb, $maxCount, $maxAge } = limitsOf(own.metadata)
  if (typeof $tb === 'number' && revision < $tb) return true
  if (typeof $maxCount === 'number' && revision <= own.last - $maxCount) return true
  return typeof $maxAge === 'number' && created / 1_000 < now.getTime() - $maxAge * 1_000
}

function limitsOf(metadata: Buffer | null): Limits {
  if (!metadata) return {}
  try {
    const value: unknown = JSON.parse(metadata.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
