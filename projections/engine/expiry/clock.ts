import type { RecordedEvent } from '../../../domain/all-events.ts'
import type { Projection } from '../../projection.ts'

/** Rows of a table of it go by time. */
export const hasExpiry = ({ tables }: Projection): boolean => tables.some(({ expires }) => expires !== undefined)

/**
 * The time of a read model: the newest of the events that it handles, never back, whatever the wall clock, so that it is the same
 * at the same position. Of an event it takes the earlier of what its writer and the log state: one wrong clock alone
 * removes nothing.
 */
export function later(clock: Date | null, { at, recordedAt }: Pick<RecordedEvent, 'at' | 'recordedAt'>): Date {
  const own = at < recordedAt ? at : recordedAt
  return clock && clock > own ? clock : own
}

/** The clock behind these events; null for a read model of which nothing expires. */
export function clockAfter(projection: Projection, clock: Date | null, events: readonly RecordedEvent[]): Date | null {
  if (!hasExpiry(projection)) return null
  return events.reduce<Date | null>(
    (now, event) => (Object.hasOwn(projection.when, event.type) ? later(now, event) : now),
    clock,
  )
}
