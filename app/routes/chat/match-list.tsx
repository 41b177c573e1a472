import { type KeyboardEvent, useState } from 'react'
import type { Conversation } from '../../../projections/conversations/queries.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { ConversationRow } from './conversation-row.tsx'

type MatchListProps = {
  found: readonly Conversation[]
  me: string
  present: ReadonlySet<string>
  /** With whom a room is open beside the list. */
  open: string | undefined
}

/** The matches. Beside an open room they are one tab stop, so that its message box is not behind all of them. */
export function MatchList({ found, me, present, open }: MatchListProps) {
  const [focused, setFocused] = useState<string>()
  const isOneStop = useHydrated() && open !== undefined
  const has = (id: string | undefined) => found.some((one) => one.id === id)
  const stop = has(focused) ? focused : has(open) ? open : found[0]?.id
  return (
    <ul
      className="chat-list"
      id="matches"
      onKeyDown={isOneStop ? goOn : undefined}
      onBlur={() => setFocused(undefined)}
    >
      {found.map((conversation) => (
        <ConversationRow
          key={conversation.id}
          conversation={conversation}
          me={me}
          online={present.has(conversation.id)}
          tabbable={!isOneStop || conversation.id === stop}
          onFocus={setFocused}
        />
      ))}
    </ul>
  )
}

/** The arrow keys go from match to match, Home and End to the first and the last. */
function goOn(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll('a')]
  const from = rows.indexOf(event.target as HTMLAnchorElement)
  const to = { ArrowUp: from - 1, ArrowDown: from + 1, Home: 0, End: rows.length - 1 }[event.key]
  if (to === undefined || from < 0) return
  event.preventDefault()
  rows[to]?.focus()
}
