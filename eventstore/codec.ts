import type { z } from 'zod'
import { allEvents, type DomainEvent, type EventType } from '../domain/all-events.ts'
import type { EventDefinition } from '../domain/shared/event.ts'
import { subjectFieldOf } from '../domain/shared/personal.ts'
import type { Metadata, Recorded } from '../domain/shared/recorded.ts'
import type { StorableEvent, StoredEvent } from './events.ts'
import type { KeyRing } from './keys.ts'

/** The stored form cannot be read: another type, another shape, or a broken seal. Names the event, never its content. */
export class UndecodableEvent extends Error {
  override name = 'UndecodableEvent'
}

/** Between the domain's events and what the log stores: versions, upcasting and sealing (architecture §3). */
export type Codec = {
  /** `ids` are the events' own ids, in order; `fingerprint` tells a repeat of the command from another one. */
  encode(
    stream: string,
    events: readonly DomainEvent[],
    ids: readonly string[],
    meta: Metadata & { fingerprint?: string },
  ): Promise<StorableEvent[]>
  /** Strict: throws UndecodableEvent. Fields of an erased subject decode to `{ erased: true }`. */
  decode(stored: readonly StoredEvent[]): Promise<Recorded<DomainEvent>[]>
}

type Field = { readonly name: string; readonly subjectField: string }
const definitions = new Map<string, EventDefinition>(allEvents.map((definition) => [definition.type, definition]))
const personalFields = new Map<z.ZodObject, readonly Field[]>()

/** The sealed fields of one version's schema, found once. */
export function personalFieldsOf(schema: z.ZodObject): readonly Field[] {
  let fields = personalFields.get(schema)
  if (!fields) {
    fields = Object.entries(schema.shape).flatMap(([name, field]) => {
      const subjectField = subjectFieldOf(field)
      return subjectField ? [{ name, subjectField }] : []
    })
    personalFields.set(schema, fields)
  }
  return fields
}

export function definitionOf(type: string): EventDefinition {
  const definition = definitions.get(type)
  if (!definition) throw new UndecodableEvent(`${type} is no event of this product`)
  return definition
}

export function createCodec(keys: KeyRing): Codec {
  return {
    async encode(stream, events, ids, meta) {
      const subjects = events.flatMap((event) => subjectsOf(event))
      await keys.ensure(subjects)
      return events.map((event, index) => encodeOne(keys, stream, event, ids[index]!, meta))
    },
    async decode(stored) {
      await keys.load(stored.flatMap((event) => Object.values(envelopesOf(event)).map(([subject]) => subject)))
      return stored.map((event) => decodeOne(keys, event))
    },
  }
}

function subjectsOf(event: DomainEvent): string[] {
  const fields = personalFieldsOf(definitionOf(event.type).latest)
  return [...new Set(fields.map(({ subjectField }) => String(event[subjectField as keyof DomainEvent])))]
}

const contextOf = (stream: string, id: string, type: string, subject: string) => `${stream}|${id}|${type}|${subject}`

function encodeOne(keys: KeyRing, stream: string, event: DomainEvent, id: string, meta: Metadata): StorableEvent {
  const { type, ...all } = event
  const { versions, latest } = definitionOf(type)
  const clear: Record<string, unknown> = { ...latest.parse(all) }
  const bySubject: Record<string, Record<string, unknown>> = {}
  for (const { name, subjectField } of personalFieldsOf(latest)) {
    bySubject[subjectField] = { ...bySubject[subjectField], [name]: clear[name] }
    delete clear[name]
  }
  const sealed = Object.entries(bySubject).map(([subjectField, fields]) => {
    const subject = String(clear[subjectField])
    return [subjectField, keys.seal(subject, contextOf(stream, id, type, subject), JSON.stringify(fields))]
  })
  const data = sealed.length > 0 ? { ...clear, sealed: Object.fromEntries(sealed) } : clear
  return { id, type, data: JSON.parse(JSON.stringify(data)), metadata: { ...meta, schema: versions.length } }
}

/** By subject field: the subject's id and its envelope. */
function envelopesOf({ data }: StoredEvent): Record<string, [string, string]> {
  const sealed = (data.sealed ?? {}) as Record<string, string>
  return Object.fromEntries(Object.entries(sealed).map(([field, text]) => [field, [String(data[field]), text]]))
}

function decodeOne(keys: KeyRing, stored: StoredEvent): Recorded<DomainEvent> {
  const { schema, ...meta } = stored.metadata as unknown as Metadata & { schema: number }
  try {
    const definition = definitionOf(stored.type)
    const version = definition.versions[schema - 1]
    if (!version) throw new UndecodableEvent(`version ${schema} is unknown`)
    const { sealed: _sealed, ...clear } = stored.data
    const opened = { ...clear, ...openAll(keys, stored, version) }
    const fields = upcast(definition, schema, version.parse(opened))
    const { id, stream, revision, position, recordedAt } = stored
    const event = { ...fields, type: stored.type as EventType } as DomainEvent
    return { ...event, id, stream, revision, position, recordedAt, meta }
  } catch (error) {
    const reason = error instanceof UndecodableEvent ? error.message : 'its fields do not fit or its seal is broken'
    throw new UndecodableEvent(`${stored.type} ${stored.id} (${stored.stream}@${stored.revision}): ${reason}`)
  }
}

function openAll(keys: KeyRing, stored: StoredEvent, version: z.ZodObject): Record<string, unknown> {
  const envelopes = envelopesOf(stored)
  const opened: Record<string, unknown> = {}
  for (const [subject, text] of Object.values(envelopes)) {
    const plain = keys.open(subject, contextOf(stored.stream, stored.id, stored.type, subject), text)
    if (plain !== null) Object.assign(opened, JSON.parse(plain))
  }
  for (const { name } of personalFieldsOf(version)) if (!(name in opened)) opened[name] = { erased: true }
  return opened
}

function upcast(definition: EventDefinition, from: number, fields: Record<string, unknown>): Record<string, unknown> {
  if (from === definition.versions.length) return fields
  const raised = definition.upcasters.slice(from - 1).reduce((value, raise) => raise(value), fields)
  return definition.latest.parse(raised)
}
