import { isRouteErrorResponse, useParams, useRouteError } from '@remix-run/react'
import { useOutbox } from '../../live/use-chat.ts'
import { useShellMember } from '../../shell/use-shell.ts'
import { LinkButton } from '../../ui/button.tsx'
import { CellIcon } from '../../ui/card.tsx'
import { ErrorPage } from '../../ui/feedback/error-page.tsx'
import { LastReply, LastWords } from '../../ui/feedback/last-reply.tsx'
import { useFocusInPlace } from '../../ui/feedback/use-focus-in-place.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { roomOf, typedLast } from './typed.ts'

const NONE: readonly string[] = []

/** In a file that every page has loaded once it works. */
const QueuedMessages = onDemand(async () => (await import('../../shell/kept/keeping.tsx')).QueuedMessages)

/** Why a room does not show. Who unmatched or blocked whom, and whether there ever was a room, is not revealed. */
export function RoomError() {
  const error = useRouteError()
  const { userId = '' } = useParams()
  const me = useShellMember()?.id ?? ''
  const room = roomOf(me, userId)
  const { outgoing } = useOutbox(room, NONE)
  if (!isRouteErrorResponse(error) || error.status !== 404)
    // What was sent in one room shows in no other, nor to another member, whose rooms are others.
    return <ErrorPage kept={<QueuedMessages key={room} entries={outgoing} />} />
  const unsent = outgoing.filter(({ state }) => state !== 'sent').map(({ text }) => text)
  const words = [...unsent, typedLast(me, room)].filter((text) => text !== '').join('\n\n')
  return <ClosedRoom words={words} />
}

function ClosedRoom({ words }: { words: string }) {
  useFocusInPlace()
  return (
    <section className="empty">
      <CellIcon name="message-circle" />
      <h1 className="empty-title">This conversation is closed</h1>
      <LastReply />
      <p className="soft">It has ended, or the link is incomplete.</p>
      {words ? <LastWords key={words} text={words} /> : null}
      <LinkButton to="/chat" tone="primary">
        Your matches
      </LinkButton>
    </section>
  )
}
