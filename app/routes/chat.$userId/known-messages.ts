import type { Message } from '../../../projections/conversations/queries.ts'

/** A message that the log has, as the loader or the socket brings it. */
export type StoredMessage = Pick<Message, 'number' | 'text' | 'time' | 'deleted'> & {
  readonly id: string
  readonly from: string
  readonly media?: { readonly url: string }
}

/** A page of history, oldest first; `earlier` is the cursor of the one before it, null at the beginning. */
export type HistoryPage = { readonly messages: readonly StoredMessage[]; readonly earlier: string | null }

/** What a page adds to what it knows of its room. */
type Arrived = {
  /** What the loader brought: the newest messages, or those before one. */
  readonly page: HistoryPage
  /** What was fetched last from before the first message. */
  readonly older: HistoryPage | undefined
  readonly live: readonly StoredMessage[]
}

/**
 * All messages that have reached the page, each once and in order, without a hole: numbers are consecutive, and what lies
 * behind a gap before the loader's messages is dropped, to be fetched again as earlier ones.
 */
export function addArrived(known: HistoryPage, { page, older, live }: Arrived): HistoryPage {
  const all = [...live, ...known.messages, ...(older?.messages ?? []), ...page.messages]
  const byNumber = new Map(all.map((message) => [message.number, message]))
  let first = page.messages[0]?.number ?? 0
  while (byNumber.has(first - 1)) first--
  const messages = [...byNumber.values()].filter(({ number }) => number >= first).sort((a, b) => a.number - b.number)
  const begins = (part: HistoryPage | undefined) => part?.messages[0]?.number === messages[0]?.number
  const { earlier } = [page, older, known].find(begins) ?? page
  return { messages, earlier }
}
