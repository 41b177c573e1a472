import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import type { HistoryPage } from './known-messages.ts'

type OpenedPage = { before: string | null; room: { unread: number; readUpTo: string | null } }

/** The message where the unread began when the room was opened, as soon as the page knows it; null where all was read. */
export function useFirstUnread(page: OpenedPage, known: HistoryPage, me: string): string | null {
  const [readTo] = useState(page.before || page.room.unread === 0 ? undefined : page.room.readUpTo)
  if (readTo === undefined) return null
  const read = known.messages.findIndex(({ id }) => id === readTo)
  if (read === -1 && known.earlier !== null) return null
  return known.messages.slice(read + 1).find(({ from }) => from !== me)?.id ?? null
}

type Reading = { box: RefObject<HTMLElement>; isAway: boolean; follow: () => void }

/** What the other wrote while the reader was `away` from the newest message, and the way to it. */
export function useNews(known: HistoryPage, me: string, { box, isAway, follow }: Reading) {
  const newest = known.messages.at(-1)?.number ?? 0
  const [seen, see] = useState(newest)
  if (!isAway && seen !== newest) see(newest)
  const news = isAway ? known.messages.filter(({ number, from }) => number > seen && from !== me) : []
  const lead = () => {
    flushSync(follow)
    const first = box.current?.querySelector(`[data-id="${CSS.escape(news[0]?.id ?? '')}"]`)
    box.current?.focus({ preventScroll: true })
    if (!first || !box.current) return
    box.current.scrollTop += topOf(first) - topOf(box.current) - ABOVE_PX
    // At once: what changes its size next would lead to the end of a box whose reader still follows.
    box.current.dispatchEvent(new Event('scroll'))
  }
  return { count: news.length, lead }
}

const ABOVE_PX = 12
const topOf = (element: Element) => element.getBoundingClientRect().top
