import { type Category, type DomainEvent, eventsByCategory, type RecordedEvent } from '../../domain/all-events.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import type { StorableEvent } from '../../eventstore/events.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { ann, bea, T0 } from './people.ts'

type Fields = Readonly<Record<string, unknown>>
const field = (name: string) => (fields: Fields) => String(fields[name])
const two = ({ members, from, by, to, target, other }: Fields) =>
  (Array.isArray(members) ? members : [from ?? by, to ?? target ?? other]).map(String)

/** The id of the stream that an event of the category is in. */
const IDS: { readonly [C in Category]: (fields: Fields) => string } = {
  email: field('address'),
  member: field('member'),
  profile: field('member'),
  gallery: field('member'),
  inbox: field('member'),
  pair: (fields) => two(fields).sort().join('_'),
  report: (fields) => two(fields).join('_'),
  audit: field('auditor'),
}
const categories = Object.keys(eventsByCategory) as Category[]

/** The category and the id of an event's stream, as the deciders name them. */
export function streamOf(event: DomainEvent): string {
  const category = categories.find((one) => eventsByCategory[one].some(({ type }) => type === event.type))
  if (!category) throw new Error(`${event.type} is in no category.`)
  return `${category}-${IDS[category](event)}`
}

export const positionAt = (n: number): Position => n.toString(36).padStart(13, '0') as Position

/** The events as the log gives them back: each with its id, its position, and its number in its stream. */
export function recorded(...events: readonly DomainEvent[]): RecordedEvent[] {
  const revisions = new Map<string, number>()
  return events.map((event, index) => {
    const stream = streamOf(event)
    const revision = (revisions.get(stream) ?? -1) + 1
    revisions.set(stream, revision)
    const meta = {
      commandId: uuidFrom('command', index),
      correlationId: '',
      causationId: '',
      actor: 'by' in event ? event.by : 'system',
    }
    const id = uuidFrom('event', index)
    return { ...event, id, stream, revision, position: positionAt(index + 1), recordedAt: event.at, meta }
  }) as RecordedEvent[]
}

/** As it is stored: every read model may take it, and nobody sees anything of it. */
export function noNews(id: string = crypto.randomUUID()): StorableEvent {
  const metadata = { commandId: id, correlationId: id, causationId: id, actor: 'system', schema: 1 }
  return { id, type: 'SkipUndone', data: { by: ann, target: bea, at: T0.toISOString() }, metadata }
}
