import type { RecordedEvent } from '../../domain/all-events.ts'
import { isErased } from '../../domain/shared/personal.ts'
import type { Metadata, Position } from '../../domain/shared/recorded.ts'
import { definitionOf, personalFieldsOf, type UndecodableEvent } from '../../eventstore/codec.ts'
import { type Plain, plain } from './plain.ts'
import type { HistoryRow } from './table.ts'

/** The members whose sealed fields the auditor has opened, with a reason. */
export type Opened = ReadonlySet<string>
/** What an auditor can read: what is opened, and not what was erased, each member's fields since then. */
export type Eyes = { readonly opened: Opened; readonly erasedAt: ReadonlyMap<string, Date> }

/** `sealed`: nobody has given a reason to read it. `erased`: nobody can, since then where that is known. */
export type AuditValue =
  | { readonly value: Plain }
  | { readonly hidden: 'sealed' }
  | { readonly hidden: 'erased'; readonly since: string | null }

export type ShownEvent = {
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly kind: string
  readonly id: string
  readonly type: string
  readonly at: string
  readonly recordedAt: string | null
  readonly meta: Metadata | null
  /** Why the log's text cannot be read; the fields are empty then. */
  readonly unreadable: string | null
  readonly fields: readonly { readonly name: string; readonly shown: AuditValue }[]
}

const ENVELOPE = new Set(['type', 'id', 'stream', 'revision', 'position', 'recordedAt', 'meta', 'at'])

/** The names of the event's personal fields, each with the id whose key seals it. */
export function sealedFields(event: RecordedEvent): ReadonlyMap<string, string> {
  const values = event as unknown as Readonly<Record<string, unknown>>
  const fields = personalFieldsOf(definitionOf(event.type).latest)
  return new Map(fields.map(({ name, subjectField }) => [name, String(values[subjectField])]))
}

/** A report's reason and evidence open with the member whom it is about. */
export function isOpen(event: RecordedEvent, subject: string, opened: Opened): boolean {
  return opened.has(subject) || ('evidence' in event && opened.has(event.target))
}

/** The event as it decodes for one without the key of whoever is not opened. */
export function withoutSealed(event: RecordedEvent, opened: Opened): RecordedEvent {
  const hidden = [...sealedFields(event)].filter(([, subject]) => !isOpen(event, subject, opened))
  return { ...event, ...Object.fromEntries(hidden.map(([name]) => [name, { erased: true }])) } as RecordedEvent
}

/** A row of a history with the content of its event. */
export function showEvent(
  row: HistoryRow,
  event: RecordedEvent | UndecodableEvent | undefined,
  { opened, erasedAt }: Eyes,
): ShownEvent {
  const { stream, revision, kind, id, type, at } = row
  const base = { position: row.position as Position, stream, revision, kind, id, type, at: at.toISOString() }
  if (event === undefined || event instanceof Error) {
    const unreadable = event ? event.message : 'the log does not hold it any more'
    return { ...base, recordedAt: null, meta: null, unreadable, fields: [] }
  }
  const sealed = sealedFields(event)
  const fields = Object.entries(event)
    .filter(([name]) => !ENVELOPE.has(name))
    .map(([name, value]) => {
      const subject = sealed.get(name)
      return {
        name,
        shown: showField(value, subject, subject === undefined || isOpen(event, subject, opened), erasedAt),
      }
    })
  const { commandId, correlationId, causationId, actor } = event.meta
  const meta = { commandId, correlationId, causationId, actor }
  return { ...base, recordedAt: event.recordedAt.toISOString(), meta, unreadable: null, fields }
}

function showField(
  value: unknown,
  subject: string | undefined,
  open: boolean,
  erasedAt: ReadonlyMap<string, Date>,
): AuditValue {
  if (isErased(value)) return { hidden: 'erased', since: erasedAt.get(subject ?? '')?.toISOString() ?? null }
  return open ? { value: plain(value) } : { hidden: 'sealed' }
}
