import { isRouteErrorResponse, useParams, useRouteError } from '@remix-run/react'
import type { Outgoing } from '../../live/outbox.ts'
import { type RoomOutbox, useOutbox } from '../../live/use-chat.ts'
import { useShellMember } from '../../shell/use-shell.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorPage, Failure } from '../../ui/feedback/error-page.tsx'
import { LastWords } from '../../ui/feedback/last-reply.tsx'
import { MessageList } from './message/message-list.tsx'
import { collectMessages } from './messages.ts'
import { roomOf, typedLast } from './typed.ts'

const CLOSED = { title: 'This conversation is closed', text: 'It has ended, or the link is incomplete.' }
const NONE: readonly string[] = []
const NOTHING_KNOWN = { messages: [], earlier: null }

/** Why a room does not show. Who unmatched or blocked whom, and whether there ever was a room, is not revealed. */
export function RoomError() {
  const error = useRouteError()
  const { userId = '' } = useParams()
  const me = useShellMember()?.id ?? ''
  const room = roomOf(me, userId)
  const outbox = useOutbox(room, NONE)
  const waiting = outbox.outgoing.filter(({ state }) => state !== 'sent')
  if (!isRouteErrorResponse(error) || error.status !== 404)
    return <ErrorPage kept={<Waiting me={me} other={userId} outbox={outbox} />} />
  const words = [...waiting.map(({ text }) => text), typedLast(room)].filter((text) => text !== '').join('\n\n')
  return (
    <Failure words={CLOSED} kept={words ? <LastWords key={words} text={words} /> : null}>
      <LinkButton to="/chat" tone="primary">
        Your matches
      </LinkButton>
    </Failure>
  )
}

type WaitingProps = { me: string; other: string; outbox: RoomOutbox }

/** The messages that were written into the room and are not in it yet. */
function Waiting({ me, other, outbox }: WaitingProps) {
  const { outgoing } = outbox
  if (outgoing.length === 0) return null
  return (
    <section className="stack stack-s" aria-label="Your messages">
      <p role="status">{wordsFor(outgoing)}</p>
      <MessageList
        me={me}
        page={{ room: { otherReadUpTo: null }, other: { id: other, firstName: '' } }}
        known={NOTHING_KNOWN}
        messages={collectMessages(me, [], outgoing)}
        unread={null}
        outbox={outbox}
        isPrinting={false}
      />
    </section>
  )
}

function wordsFor(outgoing: readonly Outgoing[]): string {
  if (outgoing.some(({ state }) => state === 'failed')) return 'Some of what you wrote is kept here, and was not sent.'
  return outgoing.every(({ state }) => state === 'sent')
    ? 'What you wrote is sent.'
    : 'What you wrote is kept here, and will be sent.'
}
