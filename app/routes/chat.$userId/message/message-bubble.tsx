import { memo } from 'react'
import { classes } from '../../../ui/classes.ts'
import { Icon } from '../../../ui/picture/icon.tsx'
import { sourcesOf } from '../../../ui/picture/sources.ts'
import type { LaidMessage } from '../messages.ts'
import { MessageMenu } from './message-menu.tsx'
import { MessageText } from './message-text.tsx'
import './bubble.css'

type MessageBubbleProps = Omit<LaidMessage, 'number' | 'day'> & {
  mine: boolean
  /** The words of the day that begins with it. */
  day: string | null
  isFirstUnread: boolean
  read: boolean
  /** Tab stops at its menu; the others are reached by the arrow keys. */
  tabbable: boolean
  other: string
  ownHost: string
  otherName: string
  onRetry: (id: string) => void
  onDrop: (id: string) => void
}

/** One message; one that failed stays, with Retry (look: chat). Drawn again only when something of it changes. */
export const MessageBubble = memo(function MessageBubble(message: MessageBubbleProps) {
  const { id, mine, day, other, otherName, onRetry, onDrop } = message
  const time = message.wall.slice(11, 16)
  return (
    <>
      {day ? (
        <li className="conversation-day">
          <span>{day}</span>
        </li>
      ) : null}
      {message.isFirstUnread ? (
        <li className="conversation-unread">
          <span>Unread messages</span>
        </li>
      ) : null}
      <li
        data-id={id}
        className={classes('message', mine ? 'message-mine' : 'message-theirs', message.last && 'message-last')}
        data-state={message.state}
      >
        <span className="visually-hidden printed">{mine ? 'You' : otherName}: </span>
        <div className="bubble">
          {message.mediaUrl ? (
            <img className="bubble-media" alt="" loading="lazy" {...sourcesOf(message.mediaUrl, '16rem')} />
          ) : null}
          {message.deleted ? (
            <em className="soft">Message deleted</em>
          ) : (
            <MessageText text={message.text} ownHost={message.ownHost} />
          )}
        </div>
        <div className="message-foot">
          <time dateTime={message.time}>{time}</time>
          {mine ? <Ticks state={message.state} read={message.read} /> : null}
          <MessageMenu message={message} tabbable={message.tabbable} report={mine ? null : other} />
        </div>
        {message.state === 'failed' ? (
          <p className="message-failed" role="alert">
            <span>{message.error ?? 'Not sent.'}</span>
            <button type="button" onClick={() => onRetry(id)}>
              Retry
            </button>
            <button type="button" onClick={() => onDrop(id)}>
              Delete
            </button>
          </p>
        ) : null}
      </li>
    </>
  )
})

function Ticks({ state, read }: { state: LaidMessage['state']; read: boolean }) {
  if (state === 'sending') return <Icon name="clock" size="s" label="Sending" />
  if (state === 'failed') return <Icon name="circle-alert" size="s" label="Not sent" />
  return read ? (
    <Icon name="check-check" size="s" label="Read" className="tick-read" />
  ) : (
    <Icon name="check" size="s" label="Delivered" />
  )
}
