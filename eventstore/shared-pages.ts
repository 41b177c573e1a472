import type { Position } from '../domain/shared/recorded.ts'
import { wholeIn } from './appends.ts'
import type { StoredEvent } from './events.ts'
import type { Log } from './log.ts'
import { isFull } from './log-pages.ts'

/** One question to the log: a longer page could be lost to its time limit again and again under load. */
const PAGE = 500
const KEPT = 8

/** `last` is known once the page is there. */
type Page = { readonly after: Position; readonly events: Promise<StoredEvent[]>; last?: Position }

/**
 * Reads pages of the log for consumers who catch up side by side: one read serves all whose position is within it, with
 * the same event objects. Empty at the end of the log.
 */
export function sharePages(
  log: Pick<Log, 'readAll'>,
  signal: AbortSignal,
): (after: Position) => Promise<StoredEvent[]> {
  let recent: Page[] = []

  /** What a page cuts is in the next one. */
  async function readWhole(after: Position): Promise<StoredEvent[]> {
    const events = await log.readAll(after, PAGE, signal)
    return isFull(events, PAGE) ? events.slice(0, wholeIn(events)) : events
  }

  function read(after: Position): Page {
    const page: Page = { after, events: readWhole(after) }
    recent = [...recent.slice(1 - KEPT), page]
    page.events.then(
      (events) => {
        page.last = events[events.length - 1]?.position ?? after
      },
      () => {
        recent = recent.filter((one) => one !== page)
      },
    )
    return page
  }

  return async (after) => {
    for (;;) {
      const known = recent.find((page) => page.after <= after && (page.last === undefined || page.last > after))
      if (!known) return read(after).events
      const rest = (await known.events).filter(({ position }) => position > after)
      if (rest.length > 0) return rest
    }
  }
}
