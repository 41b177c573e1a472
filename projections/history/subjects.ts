import { z } from 'zod'
import { allEvents, type RecordedEvent } from '../../domain/all-events.ts'
import { ID_PATTERN } from '../../domain/shared/id-pattern.ts'
import { MemberId } from '../../domain/shared/ids.ts'

/** By event type: the clear fields that hold a member's id, or several. Asked of the schemas, so no event is left out. */
const memberFields: ReadonlyMap<string, readonly string[]> = new Map(
  allEvents.map(({ type, latest }) => [
    type,
    Object.entries(latest.shape)
      .filter(([, schema]) => namesMember(schema))
      .map(([name]) => name),
  ]),
)

function namesMember(schema: unknown): boolean {
  if (schema === MemberId) return true
  if (schema instanceof z.ZodTuple) return schema.def.items.some(namesMember)
  if (schema instanceof z.ZodArray) return namesMember(schema.element)
  if (schema instanceof z.ZodUnion) return schema.options.some(namesMember)
  return false
}

/** The members whose history an event is part of, each once. */
export function membersIn(event: RecordedEvent): MemberId[] {
  const fields = event as unknown as Readonly<Record<string, unknown>>
  const named = (memberFields.get(event.type) ?? []).flatMap((name) => fields[name])
  return [...new Set(named.filter((value): value is MemberId => typeof value === 'string' && ID_PATTERN.test(value)))]
}
