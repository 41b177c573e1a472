import type { StoredEvent } from './events.ts'

/** Of an event's metadata: how many events of its append come after it; absent for the last, and in older events. */
export type Left = { readonly left?: number }

export const leftOf = (left: number): Left => (left > 0 ? { left } : {})

export const isLast = ({ metadata }: Pick<StoredEvent, 'metadata'>): boolean => !(Number(metadata.left) > 0)

/**
 * How many of these events, in log order, are whole appends. The others wait for the rest of theirs, so that nobody sees half
 * of what a command did. All of them where none is whole: an append may have more events than a batch.
 */
export function wholeIn(events: readonly StoredEvent[]): number {
  return events.findLastIndex(isLast) + 1 || events.length
}
