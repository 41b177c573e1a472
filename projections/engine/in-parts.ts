import type { StoredEvent } from '../../eventstore/events.ts'

/**
 * A batch in parts that each end with at most one erasure: one member's may touch as many rows as a transaction has time
 * for, and what it leaves to later is known before the next event.
 */
export function* inParts(batch: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let from = 0
  for (const [index, { type }] of batch.entries()) {
    if (type !== 'AccountErased') continue
    yield batch.slice(from, index + 1)
    from = index + 1
  }
  if (from < batch.length) yield from === 0 ? batch : batch.slice(from)
}
