import { Link } from '@remix-run/react'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import type { LaidLine } from './messages.ts'
import './bubble.css'

type BubbleProps = {
  line: LaidLine
  mine: boolean
  day: string | null
  read: boolean
  other: { id: string; firstName: string }
  onRetry: () => void
  onDrop: () => void
}

/** One message; one that failed stays, with Retry (look: chat). */
export function Bubble({ line, mine, day, read, other, onRetry, onDrop }: BubbleProps) {
  const time = line.wall.slice(11, 16)
  return (
    <>
      {day ? (
        <li className="talk-day">
          <span>{day}</span>
        </li>
      ) : null}
      <li
        className={classes('line', mine ? 'line-mine' : 'line-theirs', line.last && 'line-last')}
        data-state={line.state}
      >
        <span className="visually-hidden">{mine ? 'You' : other.firstName}: </span>
        <div className="bubble">
          {line.mediaUrl ? <img className="bubble-media" src={line.mediaUrl} alt="" loading="lazy" /> : null}
          {line.deleted ? <em className="soft">Message deleted</em> : <span className="bubble-text">{line.text}</span>}
        </div>
        <span className="line-foot">
          <time dateTime={line.time}>{time}</time>
          {mine ? <Ticks state={line.state} read={read} /> : null}
          {!mine && !line.deleted ? (
            <Link
              className="line-report"
              to={`/report/${other.id}?message=${line.id}`}
              aria-label="Report this message"
            >
              <Icon name="flag" size="s" />
            </Link>
          ) : null}
        </span>
        {line.state === 'failed' ? (
          <p className="line-failed" role="alert">
            <span>{line.error ?? 'Not sent.'}</span>
            <button type="button" onClick={onRetry}>
              Retry
            </button>
            <button type="button" onClick={onDrop}>
              Delete
            </button>
          </p>
        ) : null}
      </li>
    </>
  )
}

function Ticks({ state, read }: { state: LaidLine['state']; read: boolean }) {
  if (state === 'sending') return <Icon name="clock" size="s" label="Sending" />
  if (state === 'failed') return <Icon name="circle-alert" size="s" label="Not sent" />
  return read ? (
    <Icon name="check-check" size="s" label="Read" className="tick-read" />
  ) : (
    <Icon name="check" size="s" label="Delivered" />
  )
}
