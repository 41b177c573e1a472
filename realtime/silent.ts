import type { RecordedEvent } from '../domain/all-events.ts'
import type { EventSource } from './source.ts'

const ROOM_EVENTS = ['Matched', 'Unmatched', 'Blocked']

/** Blocks of pairs that had no open room before, as their streams show, by event id. */
export async function roomlessBlocks(blocks: readonly RecordedEvent[], source: EventSource): Promise<string[]> {
  const found = await Promise.all(
    blocks.map(async (event) => {
      const before = (await source.read(event.stream)).filter(({ revision }) => revision < event.revision)
      const last = before.filter(({ type }) => ROOM_EVENTS.includes(type)).at(-1)
      return last?.type === 'Matched' ? [] : [event.id]
    }),
  )
  return found.flat()
}

/** Buzzes that made a match in the same append, by event id: the match is the news of both. */
export async function answeringBuzzes(events: readonly RecordedEvent[], source: EventSource): Promise<string[]> {
  const found = await Promise.all(
    events.map(async (event, index) => {
      if (event.type !== 'Buzzed') return []
      // The log keeps an append together, but may hand it out in parts.
      const next = events[index + 1] ?? (await source.read(event.stream, event.revision + 1, 1))[0]
      const answers = next?.type === 'Matched' && next.stream === event.stream && next.revision === event.revision + 1
      return answers ? [event.id] : []
    }),
  )
  return found.flat()
}
