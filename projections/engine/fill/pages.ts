import type pg from 'pg'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { StoredEvent } from '../../../eventstore/events.ts'
import { type Log, LogUnavailable } from '../../../eventstore/log.ts'
import { isFull } from '../../../eventstore/log-pages.ts'
import { type LogPage, type LogSpan, tablePages } from '../../../eventstore/log-table.ts'
import { untilAnswered } from '../../../eventstore/retry.ts'

/** Events read in one call; the answer to a larger one could exceed the log's time limit. */
const PAGE = 500

/** The log after a position, page by page to its end; the next page is on its way while one is worked on. */
export async function* pagesAfter(
  log: Pick<Log, 'readAll'>,
  after: Position,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent[]> {
  const read = (from: Position) => {
    const page = readPage(log, from, signal)
    page.catch(() => undefined)
    return page
  }
  let next = read(after)
  for (;;) {
    const page = await next
    signal.throwIfAborted()
    if (page.length === 0) return
    // A page that is not full ended where the log did. Under steady writes there is always one more: it is the follower's.
    const ends = !isFull(page, PAGE)
    if (!ends) next = read(page[page.length - 1]!.position)
    yield page
    if (ends) return
  }
}

export type PageSource = {
  readonly log: Pick<Log, 'readAll'>
  /** The database of the embedded log, if it is the log: its table is read directly. */
  readonly table?: pg.ClientConfig | undefined
  readonly signal: AbortSignal
}

/** The events after a position up to another, without those of some types. */
export async function* pagesBetween(
  { log, table, signal }: PageSource,
  { after, to, without }: Omit<LogSpan, 'signal'>,
): AsyncGenerator<LogPage> {
  if (table) {
    yield* tablePages(table, { after, to, without, signal })
    return
  }
  const left = new Set(without)
  for await (const page of pagesAfter(log, after, signal)) {
    const within = page.filter(({ position }) => position <= to)
    const last = within[within.length - 1]?.position
    if (last) yield { events: within.filter(({ type }) => !left.has(type)), to: last, passed: within.length }
    if (within.length < page.length || last === to) return
  }
}

const readPage = (log: Pick<Log, 'readAll'>, after: Position, signal: AbortSignal): Promise<StoredEvent[]> =>
  patiently(() => log.readAll(after, PAGE), signal)

/** The last event of the log for readers. */
export const headOf = (log: Pick<Log, 'head'>, signal: AbortSignal): Promise<Position> =>
  patiently(() => log.head(), signal)

/** Where the log ends, its own events included. */
export const endOfLog = (log: Pick<Log, 'end'>, signal: AbortSignal): Promise<Position> =>
  patiently(() => log.end(), signal)

/** A log that does not answer is asked again for as long as it takes: what was folded so far is not given up. */
function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const failed = (error: unknown) => {
    if (signal.aborted || !(error instanceof LogUnavailable)) throw error
  }
  return untilAnswered(ask, failed, signal)
}
