import type { RecordedEvent } from '../../domain/all-events.ts'
import { type Codec, UndecodableEvent } from '../../eventstore/codec.ts'
import type { StoredEvent } from '../../eventstore/events.ts'
import type { KeyRing } from '../../eventstore/keys.ts'
import type { Log } from '../../eventstore/log.ts'
import { type ReadableEvent, type ReadEvent, RecentEvents } from './recent-events.ts'
import type { HistoryRow } from './table.ts'

export type EventSource = {
  readonly log: Pick<Log, 'read'>
  readonly codec: Codec
  readonly keys: Pick<KeyRing, 'onForget'>
}
type EventRef = Pick<HistoryRow, 'id' | 'stream' | 'revision'>

/**
 * The events of the log, each decoded once while auditors look at its stream; one that cannot be read is answered as
 * such.
 */
export type EventReader = {
  /** By event id; what the log does not hold is missing. */
  ofRows(rows: readonly EventRef[]): Promise<Map<string, ReadableEvent>>
  /** The first events of a stream, all of them without `limit`. */
  ofStream(stream: string, limit?: number): Promise<ReadableEvent[]>
}

/** Ranges that are asked for at once. */
const AT_ONCE = 16
/** Events that nobody asked for are read along when no more than so many lie between two that somebody did. */
const GAP = 32

type Range = { readonly stream: string; readonly first: number; last: number }

export function createEventReader({ log, codec, keys }: EventSource): EventReader {
  const recent = new RecentEvents()
  keys.onForget(() => recent.forgetAll())

  async function read(ranges: readonly Range[]): Promise<ReadEvent[]> {
    const { generation } = recent
    const stored: StoredEvent[] = []
    for (let start = 0; start < ranges.length; start += AT_ONCE) {
      const part = ranges.slice(start, start + AT_ONCE)
      const limitOf = ({ first, last }: Range) => (last === Number.POSITIVE_INFINITY ? undefined : last - first + 1)
      const found = await Promise.all(
        part.map((range) => log.read(range.stream, range.first, undefined, limitOf(range))),
      )
      stored.push(...found.flat())
    }
    const events = await decodeAll(codec, stored)
    if (generation === recent.generation) for (const [stream, own] of byStream(stored, events)) recent.keep(stream, own)
    return events
  }

  return {
    async ofRows(rows) {
      const wanted = new Map(rows.map((row) => [row.id, row]))
      const found = new Map<string, ReadableEvent>()
      const missing: EventRef[] = []
      for (const row of rows) {
        const known = recent.get(row.stream).get(row.revision)
        if (known?.id === row.id) found.set(row.id, known.event)
        else missing.push(row)
      }
      for (const { id, event } of await read(rangesOf(missing))) if (wanted.has(id)) found.set(id, event)
      return found
    },
    async ofStream(stream, limit = Number.POSITIVE_INFINITY) {
      const kept = recent.get(stream)
      const known: ReadEvent[] = []
      for (let next = kept.get(0); next && known.length < limit; next = kept.get(known.length)) known.push(next)
      const first = known.length
      const fresh = first < limit ? await read([{ stream, first, last: limit - 1 }]) : []
      return [...known, ...fresh].map(({ event }) => event)
    },
  }
}

/** The revisions of each stream in as few ranges as the gaps allow. */
function rangesOf(refs: readonly EventRef[]): Range[] {
  const streams = new Map<string, number[]>()
  for (const { stream, revision } of refs) {
    const known = streams.get(stream)
    if (known) known.push(revision)
    else streams.set(stream, [revision])
  }
  return [...streams].flatMap(([stream, revisions]) => {
    const ranges: Range[] = []
    for (const revision of revisions.sort((a, b) => a - b)) {
      const open = ranges[ranges.length - 1]
      if (open && revision - open.last <= GAP) open.last = revision
      else ranges.push({ stream, first: revision, last: revision })
    }
    return ranges
  })
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
  try {
    const decoded = await codec.decode(stored)
    return stored.map(({ id, revision }, index) => ({ id, revision, event: decoded[index] as RecordedEvent }))
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error
    const [{ id, revision }] = stored as [StoredEvent]
    if (stored.length === 1) return [{ id, revision, event: error }]
    const middle = stored.length >> 1
    return [...(await decodeAll(codec, stored.slice(0, middle))), ...(await decodeAll(codec, stored.slice(middle)))]
  }
}

/** The rows' events that can be read, in the rows' order. */
export function readableIn(rows: readonly EventRef[], events: ReadonlyMap<string, ReadableEvent>): RecordedEvent[] {
  return rows.flatMap(({ id }) => {
    const event = events.get(id)
    return event === undefined || event instanceof Error ? [] : [event]
  })
}
