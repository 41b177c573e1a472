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
  page: { room: { otherReadUpTo: string | null }; other: { id: string; firstName: string } }
  known: HistoryPage
  messages: readonly ShownMessage[]
  outbox: RoomOutbox
}

/** The messages that are in the page, under their days. */
export function MessageList({ me, page, known, messages, outbox }: MessageListProps) {
  const clock = useHydrated() ? localTime : utc
  const now = useRoot()?.now
  const { room, other } = page
  const readTo = known.messages.find(({ id }) => id === room.otherReadUpTo)?.number ?? 0
  return (
    <ol className="conversation-messages">
      {layOut(messages, clock).map(({ number, day, ...message }) => (
        <MessageBubble
          key={message.id}
          {...message}
          mine={message.from === me}
          day={day && dayWords(day, now ? clock(now) : '')}
          read={number !== null && number <= readTo}
          other={other.id}
          otherName={other.firstName}
          onRetry={outbox.retry}
          onDrop={outbox.drop}
        />
      ))}
    </ol>
  )
}
