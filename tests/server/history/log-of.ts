import { type Codec, UndecodableEvent } from '../../../eventstore/codec.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import { type Bounds, createEventReader } from '../../../projections/history/event-reader.ts'
import { wrong } from '../../support/wrong.ts'

export const rowsOf = (stream: string, revisions: readonly number[]) =>
  revisions.map((revision) => ({ id: `${stream}@${revision}`, stream, revision }))

/** Counts events that were decoded and not released yet. */
export class Alive {
  most = 0
  private now = 0
  add(count: number): void {
    this.now += count
    this.most = Math.max(this.most, this.now)
  }
  /** How many there were. */
  release(): number {
    const count = this.now
    this.now = 0
    return count
  }
}

/** Whoever takes these pages is done with one when the next is asked for. */
export async function* aliveAtMost<P>(pages: AsyncIterable<P>, alive: Alive): AsyncGenerator<P> {
  for await (const page of pages) {
    yield page
    alive.release()
  }
}

/** A log of streams whose events have texts of these lengths; pages end at `pageWeight`, as those of the log do at theirs. */
export function logOf(
  streams: Readonly<Record<string, readonly number[]>>,
  bounds: Bounds,
  broken: readonly string[] = [],
) {
  const alive = new Alive()
  const listeners: ((subject: string) => void)[] = []
  const asked: [number, number | undefined][] = []
  const read = { pages: 0, most: 0, asked }
  const log = {
    async *pages(stream: string, from = 0, _signal?: AbortSignal, limit?: number) {
      asked.push([from, limit])
      const until = Math.min(limit === undefined ? Number.POSITIVE_INFINITY : from + limit, streams[stream]!.length)
      for (let revision = from; revision < until; ) {
        const page: StoredEvent[] = []
        let weight = 0
        while (revision < until && page.length < 500 && weight < bounds.pageWeight) {
          const text = 'w'.repeat(streams[stream]![revision]!)
          weight += text.length
          page.push(wrong({ id: `${stream}@${revision}`, stream, revision, type: 'BioChanged', data: { text } }))
          revision++
        }
        read.pages++
        read.most = Math.max(read.most, weight)
        yield page
      }
    },
  }
  const codec: Pick<Codec, 'decode'> = {
    async decode(stored) {
      const unreadable = stored.find(({ id }) => broken.includes(id))
      if (unreadable) throw new UndecodableEvent(`${unreadable.id}: its seal is broken`)
      alive.add(stored.length)
      return wrong(stored.map((event) => ({ ...event, bio: 'words', at: new Date(0), meta: {} })))
    },
  }
  const keys = { onForget: (listener: (subject: string) => void) => void listeners.push(listener) }
  const forget = () => {
    for (const one of listeners) one('someone')
  }
  return { reader: createEventReader({ log, codec: codec as Codec, keys }, bounds), alive, read, forget }
}
