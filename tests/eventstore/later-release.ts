import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { allEvents } from '../../domain/all-events.ts'
import { MessageSent } from '../../domain/pair/events.ts'
import { at, defineEvent, type EventDefinition } from '../../domain/shared/event.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import type { StorableEvent } from '../../eventstore/events.ts'

const events: readonly EventDefinition[] = allEvents
const next = (writes?: number) =>
  defineEvent(
    'MessageSent',
    [...MessageSent.versions, MessageSent.latest.extend({ mood: z.string().nullable() })] as never,
    [...MessageSent.upcasters, (before) => ({ ...before, mood: null })],
    writes === undefined ? {} : { writes },
  ) as EventDefinition

const releaseWith = (own: EventDefinition): ReadonlyMap<string, EventDefinition> =>
  new Map([...events, own].map((definition) => [definition.type, definition]))

/** The number of the version of `MessageSent` that a later release knows beside those of this one. */
export const NEXT_VERSION = MessageSent.versions.length + 1
/** The events of a release in which a message has a mood. */
export const LATER = releaseWith(next())
/** The first of the two releases that bring it: it reads the new version, and writes the one before. */
export const BETWEEN = releaseWith(next(NEXT_VERSION - 1))

/** A type that only a later release knows, and the events of that one. */
export const Waved: EventDefinition = defineEvent('Waved', [z.object({ by: MemberId, target: MemberId, at })])
export const WITH_ANOTHER_TYPE = releaseWith(Waved)

/** What a later release may have written, which nothing of this one reads. */
export const fromLater = (type = 'MessageSent'): StorableEvent => ({
  id: randomUUID(),
  type,
  data: {},
  metadata: { schema: NEXT_VERSION, commandId: randomUUID() },
})
