import { Form, Link, useFetcher, useSearchParams } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import type { RoomOutbox } from '../../live/use-chat.ts'
import { NEWEST } from '../../request/return-to.ts'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { useRoot } from '../../shell/use-shell.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { roomPath, useRoomPath } from '../../ui/room-path.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { HistoryPage, StoredMessage } from './known-messages.ts'
import { MessageBubble } from './message-bubble.tsx'
import { collectMessages, dayWords, layOut, localTime } from './messages.ts'
import { useKnownMessages } from './use-known-messages.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import './conversation.css'

export type ConversationPage = HistoryPage & {
  room: { roomId: string; gone: boolean; readUpTo: string | null; otherReadUpTo: string | null }
  other: { id: string; firstName: string }
  /** The message that the page ends before; null on the newest page. */
  before: string | null
  openers: readonly string[]
}
const NONE: readonly StoredMessage[] = []
/** Before script runs nobody knows the reader's zone. */
const utc = (time: string) => time

type ConversationProps = {
  me: string
  page: ConversationPage
  /** What came since the room was opened. */
  live: readonly StoredMessage[]
  outbox: RoomOutbox
  otherTypes: boolean
}

/** The conversation: history above, live messages below, what is on its way at the end. */
export function Conversation({ me, page, live, outbox, otherTypes }: ConversationProps) {
  const clock = useHydrated() ? localTime : utc
  const now = useRoot()?.now
  const address = useRoomPath(page.other.id)
  const { known, atStart, loadEarlier, loading, isQuiet } = useKnownMessages(page, page.before ? NONE : live)
  const messages = layOut(collectMessages(me, known.messages, outbox.outgoing), clock)
  const readTo = messages.findIndex((message) => message.id === page.room.otherReadUpTo)
  const { box, content } = useStickToEnd(outbox.outgoing.at(-1)?.id, loading ? null : known)
  // Nobody is left to hear of it in a room whose other member is gone, and an older page was read before.
  const unread = page.room.gone || page.before ? [] : messages
  const newest = unread.findLast((message) => message.from !== me && message.state === 'stored')?.id ?? null
  useReadReceipt(page, newest)
  useEffect(() => {
    if (atStart && isFocusLost()) box.current?.focus({ preventScroll: true })
  }, [atStart, box])
  return (
    <div
      className="conversation"
      ref={box}
      role="log"
      aria-label={`Conversation with ${page.other.firstName}`}
      aria-live={isQuiet ? 'off' : undefined}
      tabIndex={-1}
    >
      <div ref={content}>
        <Earlier page={page} cursor={known.earlier} onLoad={loadEarlier} loading={loading} />
        {messages.length === 0 ? <Openers page={page} /> : null}
        <ol className="conversation-messages">
          {messages.map((message, index) => (
            <MessageBubble
              key={message.id}
              message={message}
              mine={message.from === me}
              day={message.day && dayWords(message.day, now ? clock(now) : '')}
              read={index <= readTo}
              other={page.other}
              onRetry={() => outbox.retry(message.id)}
              onDrop={() => outbox.drop(message.id)}
            />
          ))}
        </ol>
        {otherTypes ? (
          <p className="typing-dots" aria-hidden="true">
            <span />
            <span />
            <span />
          </p>
        ) : null}
        <noscript>
          {newest && newest !== page.room.readUpTo ? (
            <Form method="post" action={address}>
              <input type="hidden" name="intent" value="read" />
              <input type="hidden" name="id" value={newest} />
              <Button tone="quiet">Mark as read</Button>
            </Form>
          ) : null}
        </noscript>
        <span id={NEWEST} />
      </div>
    </div>
  )
}

type EarlierProps = {
  page: ConversationPage
  cursor: string | null
  onLoad: (cursor: string) => void
  loading: boolean
}

function Earlier({ page, cursor, onLoad, loading }: EarlierProps) {
  const hydrated = useHydrated()
  const [search] = useSearchParams()
  return (
    <p className="conversation-more">
      {cursor && hydrated ? (
        <Button type="button" tone="quiet" busy={loading} onClick={() => onLoad(cursor)}>
          Earlier messages
        </Button>
      ) : null}
      {cursor && !hydrated ? (
        <LinkButton tone="quiet" to={`${roomPath(page.other.id, search, ['before', cursor])}#${NEWEST}`}>
          Earlier messages
        </LinkButton>
      ) : null}
    </p>
  )
}

/** An empty chat offers three ways to begin; each is a link, so it works without script. */
function Openers({ page }: { page: ConversationPage }) {
  const [search] = useSearchParams()
  return (
    <div className="conversation-openers stack">
      <p className="empty-title">Say something to {page.other.firstName}</p>
      {page.openers.map((opener) => (
        <Link key={opener} className="opener" to={roomPath(page.other.id, search, ['say', opener])} replace>
          {opener}
        </Link>
      ))}
    </div>
  )
}

const SEND_AGAIN_MS = 1_000
const SEND_AT_MOST = 5

/** Sends, once for each newest message and only while the page is looked at, that it was read; again if that was refused. */
function useReadReceipt(page: ConversationPage, newest: string | null): void {
  const { submit, state, data } = useFetcher<FormReply>({ key: `read-${page.room.roomId}` })
  const [refusals, setRefusals] = useState(0)
  const sent = useRef('')
  const { readUpTo } = page.room
  useEffect(() => {
    const turn = `${newest} ${refusals}`
    const send = () => {
      if (!newest || newest === readUpTo || sent.current === turn || document.visibilityState !== 'visible') return
      sent.current = turn
      submit({ intent: 'read', id: newest, live: 'yes' }, { method: 'post', action: `/chat/${page.other.id}` })
    }
    send()
    document.addEventListener('visibilitychange', send)
    return () => document.removeEventListener('visibilitychange', send)
  }, [newest, readUpTo, refusals, page.other.id, submit])
  useEffect(() => {
    if (state !== 'idle' || !errorIn(data) || refusals === SEND_AT_MOST) return
    const again = setTimeout(() => setRefusals(refusals + 1), SEND_AGAIN_MS)
    return () => clearTimeout(again)
  }, [state, data, refusals])
}
