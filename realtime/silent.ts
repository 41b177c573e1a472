import type { RecordedEvent } from '../domain/all-events.ts'
import type { StoredEvent } from '../eventstore/events.ts'
import type { EventSource } from './source.ts'

/** What only two who are matched write. */
const ROOM_EVENTS = ['Matched', 'MessageSent', 'MessagesRead']
/** An undone skip of each may come between. */
const LOOKED_AT = 4

/** Whether the pair of a block had no open room before, as its stream shows. */
export async function isRoomless(block: RecordedEvent<'Blocked'>, source: EventSource): Promise<boolean> {
  const from = Math.max(0, block.revision - LOOKED_AT)
  const before = block.revision === 0 ? [] : await source.read(block.stream, from, block.revision - from)
  return !wasOpen(before)
}

const wasOpen = (before: readonly StoredEvent[]): boolean =>
  ROOM_EVENTS.includes(before.filter(({ type }) => type !== 'SkipUndone').at(-1)?.type ?? '')

/** Whether a buzz made a match in the same append: the match is the news of both. `next` follows it in the log. */
export function isAnswer(
  buzz: RecordedEvent<'Buzzed'>,
  next: RecordedEvent | undefined,
  source: EventSource,
): boolean | Promise<boolean> {
  const matches = (event: Pick<RecordedEvent, 'type' | 'stream' | 'revision'> | undefined) =>
    event?.type === 'Matched' && event.stream === buzz.stream && event.revision === buzz.revision + 1
  // The log keeps an append together, but may hand it out in parts.
  return next
    ? matches(next)
    : source.read(buzz.stream, buzz.revision + 1, 1).then(([after]) => matches(after as never))
}
