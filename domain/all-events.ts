import { auditEvents } from './audit/events.ts'
import { emailEvents, memberEvents } from './identity/events.ts'
import { inboxEvents } from './inbox/events.ts'
import { pairEvents } from './pair/events.ts'
import { galleryEvents, profileEvents } from './profile/events.ts'
import { safetyEvents } from './safety/events.ts'
import type { EventOf } from './shared/event.ts'
import type { Recorded } from './shared/recorded.ts'

/** What each kind of stream holds, by its category: what the stream's name begins with. */
export const eventsByCategory = {
  email: emailEvents,
  member: memberEvents,
  profile: profileEvents,
  gallery: galleryEvents,
  pair: pairEvents,
  inbox: inboxEvents,
  report: safetyEvents,
  audit: auditEvents,
} as const
export type Category = keyof typeof eventsByCategory

/** The one list of what can be in the log. */
export const allEvents = Object.values(eventsByCategory).flat()

export type DomainEvent = EventOf<(typeof allEvents)[number]>
export type EventType = DomainEvent['type']
export type EventNamed<T extends EventType> = Extract<DomainEvent, { type: T }>
export type RecordedEvent<T extends EventType = EventType> = Recorded<EventNamed<T>>
