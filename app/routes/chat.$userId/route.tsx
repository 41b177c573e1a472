import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData, useNavigate } from '@remix-run/react'
import { MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { findRoom, listMessages } from '../../../projections/conversations/queries.ts'
import { findMatch, getOwnCard } from '../../../projections/profiles/queries.ts'
import { DELETED_MEMBER } from '../../../projections/view/visibility.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { type RoomOutbox, useLiveMessages, useOutbox, usePresence, useRoom, useTyping } from '../../live/use-chat.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'
import { NEWEST } from '../../request/newest.ts'
import { isFromElsewhere } from '../../request/used-elsewhere.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { roomPath, useRoomPath } from '../../ui/room-path.ts'
import { openersFor } from '../../words/openers.ts'
import { chatAction } from './action.server.ts'
import { Composer } from './composer.tsx'
import { Conversation } from './conversation.tsx'
import { aboutMatch } from './detail/about-match.ts'
import { RoomDetail } from './detail/room-detail.tsx'
import { GoneRoom } from './gone-room.tsx'
import { OlderPage } from './older-page.tsx'
import { RoomError } from './room-error.tsx'
import { RoomHead } from './room-head.tsx'
import './room.css'

export const meta = ({ data: page }: { data?: { other: { firstName: string } } | undefined }) =>
  pageTitle(page?.other.firstName ?? 'Chat')
export const handle: ShellHandle = {
  fill: true,
  hideBottomBar: true,
  outbox: true,
  skipTo: 'Skip to writing',
}

/** One room: the newest page of its history, or the one before a message. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const other = otherIn(params)
  const { searchParams, hostname } = new URL(request.url)
  // What another site writes is no draft of the member's.
  if (searchParams.has('say') && isFromElsewhere(request)) throw redirect(roomPath(other, searchParams))
  const before = MessageId.safeParse(searchParams.get('before')).data
  const [room, page, own, match] = await Promise.all([
    findRoom(context.read, me, other),
    listMessages(context.read, me, other, before ? { before } : {}),
    getOwnCard(context.read, me),
    findMatch(context.read, me, other, context.now()),
  ])
  if (!room || !page) throw notFound()
  return {
    me,
    ownHost: hostname.replace(/\.$/, ''),
    room,
    other: { id: other, firstName: match?.firstName ?? DELETED_MEMBER, avatar: match?.avatar ?? null },
    online: context.presence.isOnline(other),
    messages: page.messages.reverse(),
    earlier: page.before,
    before: before ?? null,
    about: match && aboutMatch(match, own.interests),
    openers: match ? openersFor({ me: own, other: match, now: acting.now() }) : [],
    draft: (searchParams.get('say') ?? '').slice(0, 400),
    messageId: crypto.randomUUID(),
  }
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const other = otherIn(params)
  const then = `${roomPath(other, new URL(request.url).searchParams)}#${NEWEST}`
  const reply = await chatAction(acting, other, { form: await receiveFields(context, request), then })
  return data(reply, reply.status)
}

export const clientAction = sendForm()

function otherIn({ userId }: { userId?: string | undefined }): MemberId {
  const other = MemberId.safeParse(userId)
  if (!other.success) throw notFound()
  return other.data
}

export { RoomError as ErrorBoundary }

export default function Room() {
  const page = useLoaderData<typeof loader>()
  return <OpenRoom key={page.room.roomId} page={page} />
}

function OpenRoom({ page }: { page: ReturnType<typeof useLoaderData<typeof loader>> }) {
  const { me, room, other, messages } = page
  const reply = useSentReply<typeof action>()
  const online = usePresence(page.online ? [other.id] : []).has(other.id)
  const outbox = useNewestPage(
    page,
    useOutbox(
      room.roomId,
      messages.map((message) => message.id),
    ),
  )
  const live = useLiveMessages(room.roomId)
  const { otherTypes, typing } = useTyping(room.roomId)
  useRoom(room.roomId)
  return (
    <>
      <div className="room">
        <RoomHead other={other} online={online} typing={otherTypes} gone={room.gone} />
        <Conversation
          // What was read of a member who is gone by now is read anew.
          key={`${page.before} ${room.gone}`}
          me={me}
          page={page}
          live={live}
          outbox={outbox}
          otherTypes={otherTypes}
        />
        {page.before ? <OlderPage other={other} unread={room.unread} /> : null}
        {room.gone ? (
          <GoneRoom me={me} room={room.roomId} reply={reply} />
        ) : (
          <Composer page={page} outbox={outbox} onTyping={typing} reply={reply} />
        )}
      </div>
      {page.about ? <RoomDetail other={other} about={page.about} /> : null}
    </>
  )
}

/** What one sends from an older page shows on the newest one. */
function useNewestPage(page: { before: string | null; other: { id: string } }, outbox: RoomOutbox): RoomOutbox {
  const navigate = useNavigate()
  const newest = useRoomPath(page.other.id)
  if (page.before === null) return outbox
  return {
    ...outbox,
    send(draft) {
      const id = outbox.send(draft)
      if (id !== null) navigate(newest)
      return id
    },
  }
}
