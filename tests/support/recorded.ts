import type { DomainEvent, RecordedEvent } from '../../domain/all-events.ts'
import { emailEvents, memberEvents } from '../../domain/identity/events.ts'
import { inboxEvents } from '../../domain/inbox/events.ts'
import { pairEvents } from '../../domain/pair/events.ts'
import { galleryEvents, profileEvents } from '../../domain/profile/events.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { uuidFrom } from '../../eventstore/ids.ts'

const CATEGORIES = {
  email: emailEvents,
  member: memberEvents,
  profile: profileEvents,
  gallery: galleryEvents,
  inbox: inboxEvents,
}
const PAIR: readonly { type: string }[] = pairEvents

/** The category and the id of an event's stream, as the deciders name them. */
export function streamOf(event: DomainEvent): string {
  const found = Object.entries(CATEGORIES).find(([, events]) => events.some(({ type }) => type === event.type))
  const fields = event as Record<string, unknown>
  if (found) return `${found[0]}-${String(found[0] === 'email' ? fields.emailKey : fields.member)}`
  const two =
    'members' in event ? event.members : [fields.from ?? fields.by, fields.to ?? fields.target ?? fields.other]
  const sorted = two.map(String).sort()
  return PAIR.some(({ type }) => type === event.type) ? `pair-${sorted.join('_')}` : `report-${two.join('_')}`
}

export const positionAt = (n: number): Position => n.toString(36).padStart(13, '0') as Position

/** The events as the log gives them back: each with its id, its position, and its number in its stream. */
export function recorded(...events: readonly DomainEvent[]): RecordedEvent[] {
  const revisions = new Map<string, number>()
  return events.map((event, index) => {
    const stream = streamOf(event)
    const revision = (revisions.get(stream) ?? -1) + 1
    revisions.set(stream, revision)
    const meta = { commandId: uuidFrom('command', index), correlationId: '', causationId: '', actor: 'system' }
    const id = uuidFrom('event', index)
    return { ...event, id, stream, revision, position: positionAt(index + 1), recordedAt: event.at, meta }
  }) as RecordedEvent[]
}
