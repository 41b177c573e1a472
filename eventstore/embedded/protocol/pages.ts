import type { StoredEvent } from '../records.ts'
import type { Page } from '../storage/storage.ts'

const PAGE_EVENTS = 256

type Range = { from: number; backwards: boolean; most: number; key: 'revision' | 'position' }

/**
 * Walks pages of a read. The next page is fetched while the last one is being consumed, so a slow reader holds two pages in
 * memory and never more.
 */
export async function* pages(
  fetch: (from: number, limit: number) => Promise<Page>,
  { from, backwards, most, key }: Range,
): AsyncGenerator<StoredEvent[]> {
  if (from < 0 || most <= 0) return
  let left = most
  const ask = (at: number) => {
    const asked = fetch(at, Math.min(PAGE_EVENTS, left))
    // A reader who leaves early never looks at the page that was fetched ahead.
    asked.catch(() => {})
    return asked
  }
  let next: Promise<Page> | undefined = ask(from)
  while (next) {
    const page: Page = await next
    const { events, more } = page
    left -= events.length
    const after = (events.at(-1)?.[key] ?? 0) + (backwards ? -1 : 1)
    next = more && left > 0 && after >= 0 ? ask(after) : undefined
    yield events
  }
}
