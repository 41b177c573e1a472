import { setImmediate as others } from 'node:timers/promises'
import type { RecordedEvent } from '../../domain/all-events.ts'
import { type Codec, UndecodableEvent } from '../../eventstore/codec.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import type { KeyRing } from '../../eventstore/keys.ts'
import type { Log } from '../../eventstore/log.ts'
import { weightOf } from '../../eventstore/log-pages.ts'
import { COMPARED_MIB } from './limits.ts'
import { type EventRef, rangesOf, readRanges } from './ranges.ts'
import { type ReadableEvent, type ReadEvent, RecentEvents } from './recent-events.ts'

export type EventSource = {
  readonly log: Pick<Log, 'pages'>
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'onForget'>
}

/** What of a history is in memory at once. */
export type Bounds = {
  /** Events that are decoded at once; between two such pages others have their turn. */
  readonly page: number
  /** Stored bytes of one page, and an event more. */
  readonly pageWeight: number
  /** Stored bytes of what is kept a while for the next look. */
  readonly kept: number
  /** What a member's rows of one read model may weigh to be compared, as the log makes them and as they are. */
  readonly rows: number
}
const MIB = 1024 * 1024
export const BOUNDS: Bounds = { page: 250, pageWeight: 8 * MIB, kept: 16 * MIB, rows: COMPARED_MIB * MIB }

/** An envelope in memory, whatever the event has in it. */
const ENVELOPE = 500

/** A row with its event, undefined for one that the log does not hold, and the bytes that it is stored in. */
export type RowRead<R> = { readonly row: R; readonly event: ReadableEvent | undefined; readonly weight: number }

/**
 * The events of the log, each decoded once while auditors look at its stream; one that cannot be read is answered as
 * such. They come page by page: no history has to be in memory as a whole.
 */
export type EventReader = {
  /** The events of the rows, in the rows' order. */
  ofRows<R extends EventRef>(
    pages: Iterable<readonly R[]> | AsyncIterable<readonly R[]>,
  ): AsyncGenerator<readonly RowRead<R>[]>
  /** The first events of a stream, all of them without `limit`. */
  ofStream(stream: string, limit?: number): AsyncGenerator<readonly ReadableEvent[]>
}

export function createEventReader({ log, codec, keys }: EventSource, bounds: Bounds = BOUNDS): EventReader {
  const recent = new RecentEvents(bounds.kept)
  keys.onForget(() => recent.forgetAll())

  /** Decoded, and kept for a while unless a key went meanwhile. */
  async function decoded(stored: readonly StoredEvent[], generation = recent.generation): Promise<ReadEvent[]> {
    const events = await decodeAll(codec, stored)
    if (generation === recent.generation) for (const [stream, own] of byStream(stored, events)) recent.keep(stream, own)
    return events
  }

  /** As many of the rows as a page has room for; none where already the first lies behind too much. */
  async function pageOf<R extends EventRef>(rows: readonly R[]): Promise<RowRead<R>[]> {
    const { generation } = recent
    const found = knownOf(recent, rows)
    const missing = rows.filter(({ id }) => !found.has(id))
    const { stored, unread } = await readRanges(log, rangesOf(missing), bounds.pageWeight)
    const end = rows.findIndex(({ id }) => unread.has(id))
    const page = end === -1 ? rows : rows.slice(0, end)
    const fresh = page.flatMap(({ id }) => stored.get(id) ?? [])
    for (const read of await decoded(fresh, generation)) found.set(read.id, read)
    return page.map((row) => ({ row, event: found.get(row.id)?.event, weight: found.get(row.id)?.weight ?? 0 }))
  }

  return {
    async *ofRows(pages) {
      let asked = bounds.page
      for await (const rows of pages)
        for (let start = 0; start < rows.length; await others()) {
          const wanted = rows.slice(start, start + asked)
          const page = await pageOf(wanted)
          if (page.length > 0) yield page
          start += page.length
          // Fewer where they are large, so that little of what was read is read again.
          asked =
            page.length < wanted.length ? Math.max(1, page.length || asked >> 1) : Math.min(2 * asked, bounds.page)
        }
    },
    async *ofStream(stream, limit = Number.POSITIVE_INFINITY) {
      let next = 0
      for (; next < limit; await others()) {
        const known = runFrom(recent.get(stream), next, Math.min(bounds.page, limit - next))
        if (known.length === 0) break
        next += known.length
        yield known
      }
      if (next >= limit) return
      const left = limit === Number.POSITIVE_INFINITY ? undefined : limit - next
      for await (const page of log.pages(stream, next, undefined, left))
        for (let start = 0; start < page.length; start += bounds.page) {
          yield (await decoded(page.slice(start, start + bounds.page))).map(({ event }) => event)
          await others()
        }
    },
  }
}

function knownOf(recent: RecentEvents, rows: readonly EventRef[]): Map<string, ReadEvent> {
  const known = rows.flatMap(({ id, stream, revision }) => {
    const one = recent.get(stream).get(revision)
    return one?.id === id ? [one] : []
  })
  return new Map(known.map((one) => [one.id, one]))
}

/** What is known from a revision on, without a gap. */
function runFrom(kept: ReadonlyMap<number, ReadEvent>, first: number, most: number): ReadableEvent[] {
  const run: ReadableEvent[] = []
  for (let next = kept.get(first); next && run.length < most; next = kept.get(first + run.length)) run.push(next.event)
  return run
}

function byStream(stored: readonly StoredEvent[], events: readonly ReadEvent[]): Map<string, ReadEvent[]> {
  const streams = new Map<string, ReadEvent[]>()
  stored.forEach(({ stream }, index) => {
    const known = streams.get(stream)
    if (known) known.push(events[index]!)
    else streams.set(stream, [events[index]!])
  })
  return streams
}

/** A broken event costs its neighbours nothing: a batch that fails is halved. */
async function decodeAll(codec: Codec, stored: readonly StoredEvent[]): Promise<ReadEvent[]> {
  if (stored.length === 0) return []
  const readAs = ({ id, revision, data }: StoredEvent, event: ReadableEvent) => ({
    id,
    revision,
    weight: ENVELOPE + weightOf(data),
    event,
  })
  try {
    const events = await codec.decode(stored)
    return stored.map((one, index) => readAs(one, events[index] as RecordedEvent))
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error
    if (stored.length === 1) return [readAs(stored[0]!, error)]
    const middle = stored.length >> 1
    return [...(await decodeAll(codec, stored.slice(0, middle))), ...(await decodeAll(codec, stored.slice(middle)))]
  }
}
