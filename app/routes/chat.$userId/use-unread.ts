import { useState } from 'react'
import type { HistoryPage, StoredMessage } from './known-messages.ts'

type OpenedPage = { before: string | null; room: { unread: number; readUpTo: string | null } }

/** The message where the unread began when the room was opened, as soon as the page knows it; null where all was read. */
export function useFirstUnread(page: OpenedPage, known: HistoryPage, me: string): string | null {
  const [readTo] = useState(page.before || page.room.unread === 0 ? undefined : page.room.readUpTo)
  if (readTo === undefined) return null
  const read = known.messages.findIndex(({ id }) => id === readTo)
  if (read === -1 && known.earlier !== null) return null
  return known.messages.slice(read + 1).find(({ from }) => from !== me)?.id ?? null
}

/** What the other wrote while the reader was away from the newest message. */
export function useNews(known: HistoryPage, me: string, isAway: boolean): readonly StoredMessage[] {
  const newest = known.messages.at(-1)?.number ?? 0
  const [seen, see] = useState(newest)
  if (!isAway && seen !== newest) see(newest)
  return isAway ? known.messages.filter(({ number, from }) => number > seen && from !== me) : []
}
