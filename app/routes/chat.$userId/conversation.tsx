import { Form } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'
import type { RoomOutbox } from '../../live/use-chat.ts'
import { NEWEST } from '../../request/newest.ts'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { Owner } from '../../shell/owner.tsx'
import { PlaceKeeper } from '../../ui/anchored/place-keeper.tsx'
import { Button } from '../../ui/button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { useRoomPath } from '../../ui/room-path.ts'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'
import type { HistoryPage, StoredMessage } from './known-messages.ts'
import { MessageList } from './message/message-list.tsx'
import { collectMessages } from './messages.ts'
import { MoreMessages } from './more-messages.tsx'
import { Openers } from './openers.tsx'
import { useKnownMessages } from './use-known-messages.ts'
import { useMessageWindow } from './use-message-window.ts'
import { usePrinting } from './use-printing.ts'
import { useSettled } from './use-settled.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import { useFirstUnread, useNews } from './use-unread.ts'
import './conversation.css'

export type ConversationPage = HistoryPage & {
  room: { roomId: string; gone: boolean; unread: number; readUpTo: string | null; otherReadUpTo: string | null }
  other: { id: string; firstName: string }
  /** The message that the page ends before; null on the newest page. */
  before: string | null
  openers: readonly string[]
  /** By which it was asked for: an address in a message that leads there leads to a page alone. */
  ownHost: string
}
const ReadReceipt = onDemand(async () => (await import('./read-receipt.tsx')).ReadReceipt)
const NewPill = onDemand(async () => (await import('./new-pill.tsx')).NewPill)
const NONE: readonly StoredMessage[] = []
/** Messages that came because the reader scrolled are in the page by then, and no screen reader reads them out as new ones. */
const QUIET_MS = 500

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
  const room = useKnownMessages(page, page.before ? NONE : live)
  const { known, loading } = room
  const own = outbox.outgoing.at(-1)?.id
  const reading = useStickToEnd(own, known.messages.length === 0 && !own)
  const { box, content, follows, ends } = reading
  const span = useMessageWindow(known.messages, reading.isAway)
  const news = useNews(known, me, reading.isAway)
  const unread = useFirstUnread(page, known, me)
  ends.current = !span.hasAfter
  const isPrinting = usePrinting()
  const messages = isPrinting
    ? collectMessages(me, known.messages, outbox.outgoing)
    : collectMessages(me, span.shown, span.hasAfter ? [] : outbox.outgoing)
  const turn = `${span.shown[0]?.id} ${known.messages[0]?.id}`
  const isQuiet = !useSettled(`${span.moves} ${known.earlier} ${loading}`, QUIET_MS) || loading || isPrinting
  const newest = newestOf(page, me, known)
  const hasEarlier = span.hasBefore || known.earlier !== null
  useLostFocus(box, hasEarlier, span.hasAfter)
  // One that comes while another leaves at the other end changes no height.
  useBrowserLayoutEffect(reading.toEnd, [span.shown.at(-1)?.id])
  return (
    <>
      <div
        className="conversation"
        ref={box}
        role="log"
        aria-label={`Conversation with ${page.other.firstName}`}
        aria-live={isQuiet ? 'off' : undefined}
        tabIndex={-1}
      >
        <div ref={content}>
          {hasEarlier ? (
            <MoreMessages
              label="Earlier messages"
              other={page.other.id}
              before={known.earlier}
              more={{ box, turn, show: span.hasBefore ? span.moveUp : room.loadEarlier }}
              loading={loading}
              failed={room.failed}
            />
          ) : null}
          {messages.length === 0 ? <Openers page={page} /> : null}
          <PlaceKeeper box={box} rows=".message" span={`${turn} ${span.hasAfter} ${isPrinting}`} follows={follows}>
            <MessageList
              me={me}
              page={page}
              known={known}
              messages={messages}
              unread={unread}
              outbox={outbox}
              isPrinting={isPrinting}
            />
          </PlaceKeeper>
          {span.hasAfter ? (
            <MoreMessages label="Later messages" other={page.other.id} more={{ box, turn, show: span.moveDown }} />
          ) : null}
          {otherTypes && !span.hasAfter ? <TypingDots /> : null}
          <noscript>
            {newest && newest !== page.room.readUpTo ? <MarkRead page={page} newest={newest} /> : null}
          </noscript>
          <span id={NEWEST} />
        </div>
      </div>
      <ReadReceipt page={page} newest={newest} />
      {news.length > 0 ? <NewPill news={news} box={box} follow={reading.follow} /> : null}
    </>
  )
}

/** Nobody is left to hear of it in a room whose other member is gone, and an older page was read before. */
function newestOf(page: ConversationPage, me: string, { messages }: HistoryPage): string | null {
  if (page.room.gone || page.before) return null
  return messages.findLast(({ from }) => from !== me)?.id ?? null
}

/** Where the button for more had the focus and went, the conversation has it. */
function useLostFocus(box: RefObject<HTMLElement>, hasEarlier: boolean, hasLater: boolean): void {
  const had = useRef({ hasEarlier, hasLater })
  useEffect(() => {
    const isAtEnd = (had.current.hasEarlier && !hasEarlier) || (had.current.hasLater && !hasLater)
    had.current = { hasEarlier, hasLater }
    if (isAtEnd && isFocusLost()) box.current?.focus({ preventScroll: true })
  }, [box, hasEarlier, hasLater])
}

function TypingDots() {
  return (
    <p className="typing-dots" aria-hidden="true">
      <span />
      <span />
      <span />
    </p>
  )
}

function MarkRead({ page, newest }: { page: ConversationPage; newest: string }) {
  const address = useRoomPath(page.other.id)
  return (
    <Form method="post" action={address}>
      <Owner />
      <input type="hidden" name="intent" value="read" />
      <input type="hidden" name="id" value={newest} />
      <Button tone="quiet">Mark as read</Button>
    </Form>
  )
}
