import type { DomainEvent } from '../../../domain/all-events.ts'
import { isErased } from '../../../domain/shared/personal.ts'
import type { Recorded } from '../../../domain/shared/recorded.ts'
import { isOfLaterRelease } from '../../../eventstore/codec.ts'
import { EVENTS, fieldsIn } from './data-map.ts'
import type { Asking } from './section.ts'

/** The events of some types of a stream, from its beginning, a page at a time; only those are decoded. Throws at one of a later release. */
export async function* eventsOf(
  { log, codec, signal }: Pick<Asking, 'log' | 'codec' | 'signal'>,
  stream: string,
  wanted: (type: string) => boolean = () => true,
): AsyncGenerator<Recorded<DomainEvent>> {
  for await (const page of log.pages(stream, 0, signal))
    yield* await codec.decode(page.filter((event) => wanted(event.type) || isOfLaterRelease(event)))
}

/** Whether the member may have this event as their own. */
export function isOwn({ member }: Pick<Asking, 'member'>, event: DomainEvent): boolean {
  const whose = EVENTS[event.type]?.whose
  if (!whose) return false
  if (whose !== 'members') return (event as Record<string, unknown>)[whose] === member
  return Object.values(event).some((value) => value === member || (Array.isArray(value) && value.includes(member)))
}

/** The fields of an event that go into one file of the export; null for those that cannot be read any more. */
export function fieldsFor(path: string, event: DomainEvent): Record<string, unknown> {
  const all = event as unknown as Record<string, unknown>
  return Object.fromEntries(fieldsIn(path, event.type).map((name) => [name, isErased(all[name]) ? null : all[name]]))
}
