import type { StoredEvent } from '../../eventstore/events.ts'
import type { Log } from '../../eventstore/log.ts'
import { weightOf } from '../../eventstore/log-pages.ts'
import type { HistoryRow } from './table.ts'

export type EventRef = Pick<HistoryRow, 'id' | 'stream' | 'revision'>

/** Ranges that are asked for at once. */
const AT_ONCE = 16
/** Events that nobody asked for are read along when no more than so many lie between two that somebody did. */
const GAP = 32

/** A part of a stream from the first to the last of the events that are wanted of it, in their order there. */
export type Range = { readonly stream: string; readonly wanted: EventRef[] }

/** The events of each stream in as few ranges as the gaps allow. */
export function rangesOf(refs: readonly EventRef[]): Range[] {
  const streams = new Map<string, EventRef[]>()
  for (const ref of refs) {
    const known = streams.get(ref.stream)
    if (known) known.push(ref)
    else streams.set(ref.stream, [ref])
  }
  return [...streams].flatMap(([stream, own]) => {
    const ranges: Range[] = []
    for (const ref of own.sort((a, b) => a.revision - b.revision)) {
      const open = ranges[ranges.length - 1]
      if (open && ref.revision - open.wanted[open.wanted.length - 1]!.revision <= GAP) open.wanted.push(ref)
      else ranges.push({ stream, wanted: [ref] })
    }
    return ranges
  })
}

/** `unread`: the ids of those that there was no room for. */
type Found = { readonly stored: Map<string, StoredEvent>; readonly unread: Set<string> }

/** Reads until what was found weighs too much; each range begins with a page. */
export async function readRanges(log: Pick<Log, 'pages'>, ranges: readonly Range[], room: number): Promise<Found> {
  const stored = new Map<string, StoredEvent>()
  const unread = new Set<string>()
  let left = room

  async function read({ stream, wanted }: Range): Promise<void> {
    const ids = new Set(wanted.map(({ id }) => id))
    const [first, last] = [wanted[0]!.revision, wanted[wanted.length - 1]!.revision]
    for await (const page of log.pages(stream, first, undefined, last - first + 1)) {
      for (const event of page) {
        if (!ids.has(event.id)) continue
        stored.set(event.id, event)
        left -= weightOf(event.data)
      }
      if (left > 0) continue
      const reached = page[page.length - 1]!.revision
      for (const { id, revision } of wanted) if (revision > reached) unread.add(id)
      return
    }
  }

  for (let start = 0; start < ranges.length; start += AT_ONCE) {
    const part = ranges.slice(start, start + AT_ONCE)
    if (left > 0) await Promise.all(part.map(read))
    else for (const { wanted } of part) for (const { id } of wanted) unread.add(id)
  }
  return { stored, unread }
}
