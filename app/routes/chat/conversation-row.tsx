import { NavLink } from '@remix-run/react'
import type { Conversation } from '../../../projections/conversations/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useRoomPath } from '../../ui/room-path.ts'
import './conversation-row.css'

type ConversationRowProps = {
  conversation: Conversation
  me: string
  online: boolean
  /** Tab stops at it; the others are reached by the arrow keys. */
  tabbable: boolean
  onFocus: (id: string) => void
}

/** A match in the sidebar: who, the last words, when, and how many are unread. */
export function ConversationRow({ conversation, me, online, tabbable, onFocus }: ConversationRowProps) {
  const { id, firstName, lastName, avatar, last, unread, matchedAt } = conversation
  return (
    <li>
      <NavLink
        to={useRoomPath(id)}
        className="chat-row"
        prefetch="intent"
        tabIndex={tabbable ? undefined : -1}
        onFocus={() => onFocus(id)}
      >
        <Avatar name={firstName} src={avatar} online={online} />
        <span className="chat-row-words">
          <span className="chat-row-head">
            <span className="truncate chat-row-name">{`${firstName} ${lastName}`.trim()}</span>
            <RelativeTime at={last?.time ?? matchedAt} className="soft small" />
          </span>
          <span className="chat-row-foot">
            <span className="truncate soft small">
              <Preview last={last} me={me} />
            </span>
            <Badge count={unread} label="unread" />
          </span>
        </span>
      </NavLink>
    </li>
  )
}

function Preview({ last, me }: { last: Conversation['last']; me: string }) {
  if (!last) return 'You matched. Say something.'
  return (
    <>
      {last.from === me ? 'You: ' : ''}
      <bdi>{last.text || (last.hasMedia ? 'Photo' : 'Message deleted')}</bdi>
    </>
  )
}
