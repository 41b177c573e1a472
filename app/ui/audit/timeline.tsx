import { Link } from '@remix-run/react'
import type { ShownEvent } from '../../../projections/history/masking.ts'
import { Chip } from '../badge.tsx'
import { kindLabel } from './asked.ts'
import { Id, ShownValue } from './shown-value.tsx'
import { stampOf } from './words.ts'
import './timeline.css'

/** Events one below the other: when and what, by whom, with which fields, and where they come from. */
export function Timeline({ events, member }: { events: readonly ShownEvent[]; member: string }) {
  return (
    <ol className="timeline" aria-label="Events">
      {events.map((event) => (
        <li key={event.id} id={`e-${event.position}`} className="event">
          <EventWhen event={event} />
          <EventFields event={event} member={member} />
          <EventCause event={event} member={member} />
        </li>
      ))}
    </ol>
  )
}

function EventWhen({ event }: { event: ShownEvent }) {
  return (
    <div className="event-when">
      <h3>{event.type}</h3>
      <time dateTime={event.at} className="tabular small">
        {stampOf(event.at)}
      </time>
      <Chip>{kindLabel(event.kind)}</Chip>
    </div>
  )
}

const NAMES_MEMBER = new Set(['member', 'from', 'to', 'by', 'target', 'other', 'auditor'])

/** That it is about the member whose history this is needs no words. */
function EventFields({ event, member }: { event: ShownEvent; member: string }) {
  const fields = event.fields.filter(
    ({ name, shown }) => !(name === 'member' && 'value' in shown && shown.value === member),
  )
  if (event.unreadable) return <p className="event-fields alarm-words">Cannot be read: {event.unreadable}</p>
  return (
    <dl className="event-fields staff-facts">
      {fields.map(({ name, shown }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {NAMES_MEMBER.has(name) && 'value' in shown ? (
              <Id id={String(shown.value)} member />
            ) : (
              <ShownValue shown={shown} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function EventCause({ event, member }: { event: ShownEvent; member: string }) {
  const { meta, stream, revision } = event
  const state = `/audit/${member}/state?stream=${stream}&revision=${revision}`
  return (
    <div className="event-cause small">
      <p>
        by {meta === null ? 'unknown' : meta.actor === member ? 'the member' : <Id id={meta.actor} member={true} />}
      </p>
      <details>
        <summary>
          Cause<span className="visually-hidden"> of {`${event.type}, revision ${revision} of ${stream}`}</span>
        </summary>
        <dl className="staff-facts">
          <Fact name="stream" value={stream} />
          <Fact name="revision" value={String(revision)} />
          <Fact name="position" value={event.position} />
          <Fact name="event" value={event.id} />
          {event.recordedAt ? <Fact name="recorded" value={stampOf(event.recordedAt)} /> : null}
          {meta ? (
            <>
              <Fact name="command" value={meta.commandId} />
              <Fact name="cause" value={meta.causationId} />
              <Fact name="request" value={meta.correlationId} />
            </>
          ) : null}
        </dl>
        <Link to={state}>
          State after it<span className="visually-hidden">: revision {`${revision} of ${stream}`}</span>
        </Link>
      </details>
    </div>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Id id={value} />
      </dd>
    </div>
  )
}
