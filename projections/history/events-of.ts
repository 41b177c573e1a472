import type { RecordedEvent } from '../../domain/all-events.ts'
import { type Codec, UndecodableEvent } from '../../eventstore/codec.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import type { Log } from '../../eventstore/log.ts'
import type { HistoryRow } from './table.ts'

export type EventSource = { readonly log: Pick<Log, 'read'>; readonly codec: Codec }
export type ReadableEvent = RecordedEvent | UndecodableEvent

/** Streams that are asked for at once. */
const AT_ONCE = 16

/** What the log says of the rows' events, by event id; one that cannot be read is told as such. */
export async function eventsOf(source: EventSource, rows: readonly HistoryRow[]): Promise<Map<string, ReadableEvent>> {
  const ranges = new Map<string, { first: number; last: number }>()
  for (const { stream, revision } of rows) {
    const known = ranges.get(stream) ?? { first: revision, last: revision }
    ranges.set(stream, { first: Math.min(known.first, revision), last: Math.max(known.last, revision) })
  }
  const wanted = new Set(rows.map(({ id }) => id))
  const all = [...ranges]
  const stored: StoredEvent[] = []
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const part = all.slice(start, start + AT_ONCE)
    const read = await Promise.all(
      part.map(([stream, { first, last }]) => source.log.read(stream, first, undefined, last - first + 1)),
    )
    for (const event of read.flat()) if (wanted.has(event.id)) stored.push(event)
  }
  return decodeAll(source.codec, stored)
}

/** A broken event costs its neighbours nothing: a batch that fails is halved. */
async function decodeAll(codec: Codec, stored: readonly StoredEvent[]): Promise<Map<string, ReadableEvent>> {
  try {
    const decoded = await codec.decode(stored)
    return new Map(decoded.map((event) => [event.id, event as RecordedEvent]))
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error
    if (stored.length === 1) return new Map([[stored[0]!.id, error]])
    const middle = stored.length >> 1
    const halves = [await decodeAll(codec, stored.slice(0, middle)), await decodeAll(codec, stored.slice(middle))]
    return new Map(halves.flatMap((half) => [...half]))
  }
}

/** The rows' events that can be read, in the rows' order. */
export function readableIn(rows: readonly HistoryRow[], events: ReadonlyMap<string, ReadableEvent>): RecordedEvent[] {
  return rows.flatMap(({ id }) => {
    const event = events.get(id)
    return event === undefined || event instanceof Error ? [] : [event]
  })
}
