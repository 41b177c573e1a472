import { Form, Link, useFetcher } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { Message } from '../../../projections/conversations/queries.ts'
import { type RoomOutbox, useLiveMessages } from '../../live/use-chat.ts'
import { useRoot } from '../../shell/use-shell.ts'
import { Button } from '../../ui/button.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { ChatAnswer } from './action.server.ts'
import { Bubble } from './bubble.tsx'
import { dayWords, layLines, localTime, toLines } from './messages.ts'
import { useStickToEnd } from './use-stick-to-end.ts'
import './conversation.css'

export type TalkPage = {
  room: { roomId: string; gone: boolean; readUpTo: string | null; otherReadUpTo: string | null }
  other: { id: string; firstName: string }
  messages: Message[]
  earlier: string | null
  older: boolean
  openers: readonly string[]
}
/** Before script runs nobody knows the reader's zone. */
const utc = (time: string) => time

type TalkProps = { me: string; page: TalkPage; outbox: RoomOutbox; otherTypes: boolean }

/** The conversation: history above, live messages below, what is on its way at the end. */
export function Talk({ me, page, outbox, otherTypes }: TalkProps) {
  const clock = useHydrated() ? localTime : utc
  const now = useRoot()?.now
  const live = useLiveMessages(page.room.roomId)
  const { earlier, messages, loadEarlier, loading } = useEarlier(page)
  const said = toLines(me, [...earlier, ...page.messages], page.older ? [] : live, outbox.outgoing)
  const lines = layLines(said, clock)
  const readTo = lines.findIndex((line) => line.id === page.room.otherReadUpTo)
  const { box, content } = useStickToEnd(outbox.outgoing.at(-1)?.id)
  // Who is gone hears of nothing any more.
  const told = page.room.gone ? [] : lines
  const newest = told.findLast((line) => line.from !== me && line.state === 'stored')?.id ?? null
  useReadReceipt(page, newest)
  return (
    <div className="talk" ref={box} role="log" aria-label={`Conversation with ${page.other.firstName}`} tabIndex={-1}>
      <div ref={content}>
        <Earlier page={page} cursor={messages} onLoad={loadEarlier} loading={loading} />
        {lines.length === 0 ? <Openers page={page} /> : null}
        <ol className="talk-lines">
          {lines.map((line, index) => (
            <Bubble
              key={line.id}
              line={line}
              mine={line.from === me}
              day={line.day && dayWords(line.day, now ? clock(now) : '')}
              read={index <= readTo}
              other={page.other}
              onRetry={() => outbox.retry(line.id)}
              onDrop={() => outbox.drop(line.id)}
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
            <Form method="post">
              <input type="hidden" name="intent" value="read" />
              <input type="hidden" name="id" value={newest} />
              <Button tone="quiet">Mark as read</Button>
            </Form>
          ) : null}
        </noscript>
      </div>
    </div>
  )
}

type EarlierProps = { page: TalkPage; cursor: string | null; onLoad: (cursor: string) => void; loading: boolean }

function Earlier({ page, cursor, onLoad, loading }: EarlierProps) {
  const hydrated = useHydrated()
  return (
    <p className="talk-more">
      {cursor && hydrated ? (
        <Button type="button" tone="quiet" busy={loading} onClick={() => onLoad(cursor)}>
          Earlier messages
        </Button>
      ) : null}
      {cursor && !hydrated ? <Link to={`?before=${cursor}`}>Earlier messages</Link> : null}
      {page.older ? <Link to={`/chat/${page.other.id}`}>Newest messages</Link> : null}
    </p>
  )
}

/** An empty chat offers three ways to begin; each is a link, so it works without script. */
function Openers({ page }: { page: TalkPage }) {
  return (
    <div className="talk-openers stack">
      <p className="empty-title">Say something to {page.other.firstName}</p>
      {page.openers.map((opener) => (
        <Link key={opener} className="opener" to={`/chat/${page.other.id}?say=${encodeURIComponent(opener)}`} replace>
          {opener}
        </Link>
      ))}
    </div>
  )
}

/** Older pages above the one that the loader brought. */
function useEarlier(page: TalkPage) {
  const fetcher = useFetcher<TalkPage>()
  const [earlier, setEarlier] = useState<readonly Message[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const seen = useRef<TalkPage>()
  useEffect(() => {
    const loaded = fetcher.data
    if (!loaded || seen.current === loaded) return
    seen.current = loaded
    setEarlier((shown) => [...loaded.messages, ...shown])
    setCursor(loaded.earlier ?? '')
  }, [fetcher.data])
  return {
    earlier,
    messages: cursor === null ? page.earlier : cursor || null,
    loading: fetcher.state !== 'idle',
    loadEarlier: (before: string) => fetcher.load(`/chat/${page.other.id}?before=${before}`),
  }
}

const TELL_AGAIN_MS = 1_000
const TELL_AT_MOST = 5

/** Tells, once for each newest message and only while the page is looked at, that it was read; again if that was refused. */
function useReadReceipt(page: TalkPage, newest: string | null): void {
  const { submit, state, data } = useFetcher<ChatAnswer>({ key: `read-${page.room.roomId}` })
  const [refusals, setRefusals] = useState(0)
  const told = useRef('')
  const { readUpTo } = page.room
  useEffect(() => {
    const turn = `${newest} ${refusals}`
    const tell = () => {
      if (!newest || newest === readUpTo || told.current === turn || document.visibilityState !== 'visible') return
      told.current = turn
      submit({ intent: 'read', id: newest, live: 'yes' }, { method: 'post', action: `/chat/${page.other.id}` })
    }
    tell()
    document.addEventListener('visibilitychange', tell)
    return () => document.removeEventListener('visibilitychange', tell)
  }, [newest, readUpTo, refusals, page.other.id, submit])
  useEffect(() => {
    if (state !== 'idle' || !data || data.ok || refusals === TELL_AT_MOST) return
    const again = setTimeout(() => setRefusals(refusals + 1), TELL_AGAIN_MS)
    return () => clearTimeout(again)
  }, [state, data, refusals])
}
