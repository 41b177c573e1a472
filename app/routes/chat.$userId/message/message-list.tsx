import type { RoomOutbox } from '../../../live/use-chat.ts'
import { useRoot } from '../../../shell/use-shell.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { HistoryPage } from '../known-messages.ts'
import { dayWords, layOut, localTime, type ShownMessage } from '../messages.ts'
import { MessageBubble } from './message-bubble.tsx'

/** Before script runs nobody knows the reader's zone. */
const utc = (time: string) => time

type MessageListProps = {
  me: string
  page: { room: { otherReadUpTo: string | null }; other: { id: string; firstName: string }; ownHost: string }
  known: HistoryPage
  messages: readonly ShownMessage[]
  /** Where the unread began. */
  unread: string | null
  outbox: RoomOutbox
  /** On paper a day has its date. */
  isPrinting: boolean
}

/** The messages that are in the page, under their days. */
export function MessageList({ me, page, known, messages, unread, outbox, isPrinting }: MessageListProps) {
  const hydrated = useHydrated()
  const clock = hydrated ? localTime : utc
  const now = useRoot()?.now
  const { room, other, ownHost } = page
  const readTo = known.messages.find(({ id }) => id === room.otherReadUpTo)?.number ?? 0
  return (
    <ol className="conversation-messages">
      {layOut(messages, clock).map(({ number, day, ...message }, index) => (
        <MessageBubble
          key={message.id}
          {...message}
          mine={message.from === me}
          isFirstUnread={message.id === unread}
          day={day && dayWords(day, now && !isPrinting ? clock(now) : '')}
          tabbable={!hydrated || index === messages.length - 1}
          read={number !== null && number <= readTo}
          other={other.id}
          ownHost={ownHost}
          otherName={other.firstName}
          onRetry={outbox.retry}
          onDrop={outbox.drop}
        />
      ))}
    </ol>
  )
}
