import type { z } from 'zod'
import { allEvents, type DomainEvent } from '../domain/all-events.ts'
import type { EventDefinition } from '../domain/shared/event.ts'
import { secondSubjectFieldOf, subjectFieldOf } from '../domain/shared/personal.ts'
import type { Metadata, Recorded } from '../domain/shared/recorded.ts'
import { type Left, leftOf } from './appends.ts'
import type { StorableEvent, StoredEvent } from './events.ts'
import type { KeyRing, Keys } from './keys.ts'

/**
 * The stored form cannot be read: another type, another shape, or fields that no key decrypts. Names the event, never its content.
 */
export class UndecodableEvent extends Error {
  override name = 'UndecodableEvent'
}

/** It came from a later release, which reads it: this code is too old, and nothing is wrong with the event. */
export class TooNewEvent extends UndecodableEvent {
  override name = 'TooNewEvent'
}

/** Between the domain's events and what the log stores: versions, upcasting and encryption (decision 0004). */
export type Codec = {
  /** `ids` are the events' own ids, in order; `fingerprint` is the hash of the command, by which a repeat is known. */
  encode(
    stream: string,
    events: readonly DomainEvent[],
    ids: readonly string[],
    meta: Metadata & { fingerprint?: string },
  ): Promise<StorableEvent[]>
  /** Strict: throws UndecodableEvent. Fields of an erased subject decode to `{ erased: true }`. */
  decode(stored: readonly StoredEvent[]): Promise<Recorded<DomainEvent>[]>
  /** As `decode`, but decrypts nothing: every personal field decodes as if its subject were erased. */
  decodeClear(stored: readonly StoredEvent[]): Recorded<DomainEvent>[]
}

/** `and`: the field of a second subject, where both keys seal it. */
type Field = { readonly name: string; readonly subjectField: string; readonly and?: string }
type Definitions = ReadonlyMap<string, EventDefinition>
const definitions: Definitions = new Map(allEvents.map((definition) => [definition.type, definition]))
const personalFields = new Map<z.ZodObject, readonly Field[]>()

/** The encrypted fields of one version's schema, found once. */
export function personalFieldsOf(schema: z.ZodObject): readonly Field[] {
  let fields = personalFields.get(schema)
  if (!fields) {
    fields = Object.entries(schema.shape).flatMap(([name, field]) => {
      const [subjectField, and] = [subjectFieldOf(field), secondSubjectFieldOf(field)]
      return subjectField ? [{ name, subjectField, ...(and && { and }) }] : []
    })
    personalFields.set(schema, fields)
  }
  return fields
}

/** Only a later release knows its type: where it is met, this code is too old. What the log has for itself is no release's. */
export const isOfLaterRelease = ({ type, stream }: Pick<StoredEvent, 'type' | 'stream'>): boolean =>
  !definitions.has(type) && !type.startsWith('$') && !stream.startsWith('$')

export function definitionOf(type: string, among: Definitions = definitions): EventDefinition {
  const definition = among.get(type)
  if (!definition) throw new TooNewEvent(`${type} is no event of this release`)
  return definition
}

const writtenOf = ({ versions, writes }: EventDefinition) => versions[writes - 1]!

/** `among`: the events of a release; default: of this one. */
export function createCodec(keys: KeyRing, among: Definitions = definitions): Codec {
  const definitionIn = (type: string) => definitionOf(type, among)
  return {
    async encode(stream, events, ids, meta) {
      const subjects = events.flatMap((event) => subjectsOf(definitionIn(event.type), event))
      return keys.ensure(subjects, (loaded) =>
        events.map((event, index) => {
          const known = { ...meta, ...leftOf(events.length - 1 - index) }
          return encodeOne(loaded, definitionIn(event.type), stream, event, ids[index]!, known)
        }),
      )
    },
    async decode(stored) {
      return keys.load(subjectsIn(stored, among), (loaded) =>
        stored.map((event) => decodeOne(loaded, definitionIn, event)),
      )
    },
    decodeClear: (stored) => stored.map((event) => decodeOne(noKeys, definitionIn, event)),
  }
}

function subjectsOf(definition: EventDefinition, event: DomainEvent): string[] {
  const fields = personalFieldsOf(writtenOf(definition))
  const named = fields.flatMap(({ subjectField, and }) => (and ? [subjectField, and] : [subjectField]))
  return [...new Set(named.map((field) => String(event[field as keyof DomainEvent])))]
}

/** The key of an envelope in `sealed`: the names of the fields whose subjects' keys seal it, the innermost first. */
const envelopeOf = ({ subjectField, and }: Field) => (and ? `${subjectField}+${and}` : subjectField)
const subjectFieldsOf = (envelope: string) => envelope.split('+')

const contextOf = (stream: string, id: string, type: string, subject: string) => `${stream}|${id}|${type}|${subject}`

function encodeOne(
  keys: Keys,
  definition: EventDefinition,
  stream: string,
  event: DomainEvent,
  id: string,
  meta: Metadata,
): StorableEvent {
  const { type, ...all } = event
  const written = writtenOf(definition)
  const clear: Record<string, unknown> = { ...written.parse(all) }
  const byEnvelope: Record<string, Record<string, unknown>> = {}
  for (const field of personalFieldsOf(written)) {
    const envelope = envelopeOf(field)
    byEnvelope[envelope] = { ...byEnvelope[envelope], [field.name]: clear[field.name] }
    delete clear[field.name]
  }
  const encrypted = Object.entries(byEnvelope).map(([envelope, fields]) => {
    const seal = (plain: string, subject: string) => keys.encrypt(subject, contextOf(stream, id, type, subject), plain)
    const subjects = subjectFieldsOf(envelope).map((field) => String(clear[field]))
    return [envelope, subjects.reduce(seal, JSON.stringify(fields))]
  })
  const data = encrypted.length > 0 ? { ...clear, sealed: Object.fromEntries(encrypted) } : clear
  return { id, type, data: JSON.parse(JSON.stringify(data)), metadata: { ...meta, schema: definition.writes } }
}

type DecodingKeys = Pick<Keys, 'decrypt' | 'isDestroyed'>

/** Decrypts nothing, as if all keys were destroyed. */
const noKeys: DecodingKeys = { decrypt: () => null, isDestroyed: () => true }

/** Whose keys decrypt these events. */
function subjectsIn(stored: readonly StoredEvent[], among: Definitions): Set<string> {
  const subjects = new Set<string>()
  for (const { type, data } of stored) {
    for (const envelope in envelopesOf(data))
      for (const field of subjectFieldsOf(envelope)) subjects.add(String(data[field]))
    for (const { and } of secondFieldsOf(among.get(type))) subjects.add(String(data[and]))
  }
  return subjects
}

type SecondField = { readonly name: string; readonly and: string }
const secondFields = new WeakMap<EventDefinition, readonly SecondField[]>()

/** What goes with a second key as well, in whichever version it was written. */
function secondFieldsOf(definition: EventDefinition | undefined): readonly SecondField[] {
  if (!definition) return []
  let fields = secondFields.get(definition)
  if (!fields) {
    fields = personalFieldsOf(definition.latest).flatMap(({ name, and }) => (and ? [{ name, and }] : []))
    secondFields.set(definition, fields)
  }
  return fields
}

/** The encrypted text by its envelope's key. */
const envelopesOf = (data: StoredEvent['data']) => data.sealed as Readonly<Record<string, string>> | undefined

function decodeOne(
  keys: DecodingKeys,
  definitionIn: (type: string) => EventDefinition,
  stored: StoredEvent,
): Recorded<DomainEvent> {
  const { schema, left: _left, ...meta } = stored.metadata as unknown as Metadata & Left & { schema: number }
  const { id, type, stream, revision, position, recordedAt } = stored
  try {
    const definition = definitionIn(type)
    const version = definition.versions[schema - 1]
    if (!version) throw unknownVersion(definition, schema)
    const fields = upcast(definition, schema, version.parse(decryptedFields(keys, stored, version)))
    for (const { name, and } of secondFieldsOf(definition))
      if (keys.isDestroyed(String(fields[and]))) fields[name] = { erased: true }
    // Into the parsed object, which is nobody else's: a literal that spreads it first is an order of magnitude slower.
    return Object.assign(fields, {
      type,
      id,
      stream,
      revision,
      position,
      recordedAt,
      meta,
    }) as unknown as Recorded<DomainEvent>
  } catch (error) {
    const reason = error instanceof UndecodableEvent ? error.message : 'its fields do not fit or its seal is broken'
    const Kind = error instanceof TooNewEvent ? TooNewEvent : UndecodableEvent
    throw new Kind(`${type} ${id} (${stream}@${revision}): ${reason}`)
  }
}

const unknownVersion = ({ versions }: EventDefinition, schema: number) =>
  Number.isInteger(schema) && schema > versions.length
    ? new TooNewEvent(`version ${schema} is of a later release`)
    : new UndecodableEvent(`version ${schema} is unknown`)

/** The fields as they were before they were encrypted; unchanged where none is. */
function decryptedFields(
  keys: Pick<Keys, 'decrypt'>,
  { stream, id, type, data }: StoredEvent,
  version: z.ZodObject,
): Record<string, unknown> {
  const personal = personalFieldsOf(version)
  const envelopes = envelopesOf(data)
  if (!envelopes && personal.length === 0) return data
  const { sealed: _sealed, ...clear } = data
  const decrypted: Record<string, unknown> = {}
  for (const envelope in envelopes) {
    const open = (sealed: string | null, subject: string) =>
      sealed === null ? null : keys.decrypt(subject, contextOf(stream, id, type, subject), sealed)
    const subjects = subjectFieldsOf(envelope).map((field) => String(data[field]))
    const plain = subjects.reduceRight(open, envelopes[envelope]! as string | null)
    if (plain !== null) Object.assign(decrypted, JSON.parse(plain))
  }
  for (const { name } of personal) if (!(name in decrypted)) decrypted[name] = { erased: true }
  return Object.assign(clear, decrypted)
}

function upcast(definition: EventDefinition, from: number, fields: Record<string, unknown>): Record<string, unknown> {
  if (from === definition.versions.length) return fields
  const raised = definition.upcasters.slice(from - 1).reduce((value, raise) => raise(value), fields)
  return definition.latest.parse(raised)
}
