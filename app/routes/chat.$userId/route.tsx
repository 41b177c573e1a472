import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { findRoom, listMessages } from '../../../projections/conversations/queries.ts'
import { findProfile, getSelf, listFirstNames } from '../../../projections/profiles/queries.ts'
import { useOutbox, usePresence, useRoom, useTyping } from '../../live/use-chat.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import type { ShellHandle } from '../../shell/shell.ts'
import { openersFor } from '../../words/openers.ts'
import { chatAction } from './action.server.ts'
import { Composer } from './composer.tsx'
import { Talk } from './conversation.tsx'
import { RoomError } from './room-error.tsx'
import { RoomHead } from './room-head.tsx'
import './room.css'

export const meta = ({ data: page }: { data?: { other: { firstName: string } } | undefined }) =>
  pageTitle(page?.other.firstName ?? 'Chat')
export const handle: ShellHandle = { fill: true, hideBottomBar: true }

/** One room: the newest page of its history, or the one before a message. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const me = await requireMember(context)
  const other = MemberId.safeParse(params.userId)
  const { searchParams } = new URL(request.url)
  const before = MessageId.safeParse(searchParams.get('before'))
  const room = other.success ? await findRoom(context.read, me, other.data) : null
  if (!room || !other.success) throw notFound()
  const page = await listMessages(context.read, me, other.data, before.success ? { before: before.data } : {})
  if (!page) throw notFound()
  const [names, self, profile] = await Promise.all([
    listFirstNames(context.read, [other.data]),
    getSelf(context.read, me, context.now()),
    findProfile(context.read, me, other.data, { now: context.now() }),
  ])
  const user = profile?.access === 'matched' ? profile.user : null
  return {
    me,
    room,
    other: { id: other.data, firstName: names.get(other.data) ?? '', avatar: user?.avatar ?? null },
    online: context.presence.isOnline(other.data),
    messages: page.messages.reverse(),
    earlier: page.before,
    older: before.success,
    openers: user ? openersFor(user, self.interests) : [],
    say: (searchParams.get('say') ?? '').slice(0, 400),
    messageId: crypto.randomUUID(),
  }
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const me = await requireMember(context)
  const other = MemberId.safeParse(params.userId)
  if (!other.success) throw notFound()
  const answer = await chatAction(context, me, other.data, await request.formData())
  return data(answer, answer.ok ? 200 : answer.status)
}

export { RoomError as ErrorBoundary }

export default function Room() {
  const page = useLoaderData<typeof loader>()
  return <OpenRoom key={page.room.roomId} page={page} />
}

function OpenRoom({ page }: { page: ReturnType<typeof useLoaderData<typeof loader>> }) {
  const { me, room, other, messages } = page
  const refused = useActionData<typeof action>()
  const online = usePresence(page.online ? [other.id] : []).has(other.id)
  const outbox = useOutbox(
    room.roomId,
    messages.map((message) => message.id),
  )
  const { otherTypes, typing } = useTyping(room.roomId)
  useRoom(room.roomId)
  return (
    <div className="room">
      <RoomHead other={other} online={online} typing={otherTypes} gone={room.gone} />
      <Talk me={me} page={page} outbox={outbox} otherTypes={otherTypes} />
      {room.gone ? (
        <p className="room-closed soft">This member is no longer here. What was said stays readable.</p>
      ) : (
        <Composer page={page} outbox={outbox} onTyping={typing} refused={refused ?? null} />
      )}
    </div>
  )
}
