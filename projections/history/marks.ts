import type { RecordedEvent } from '../../domain/all-events.ts'
import { isErased } from '../../domain/shared/personal.ts'
import { type AuditValue, type Eyes, isOpen, sealedFields } from './masking.ts'
import { type Plain, plain } from './plain.ts'

/** A member's text contains no such sign. */
const SIGN = '\u0000'
const SEALED = `${SIGN}sealed `
const ERASED = `${SIGN}erased `

/**
 * The event with a mark in place of each field that is not to be read, so that a fold shows what rests on one. The same
 * sealed value leaves the same mark; every erased field leaves one of its own.
 */
export function withMarks(event: RecordedEvent, { opened }: Eyes): RecordedEvent {
  const values = event as unknown as Readonly<Record<string, unknown>>
  const marks = [...sealedFields(event)].flatMap(([name, subject]) => {
    if (isErased(values[name])) return [[name, `${ERASED}${subject} ${event.id}`]]
    return isOpen(event, subject, opened) ? [] : [[name, SEALED + JSON.stringify(plain(values[name]))]]
  })
  return { ...event, ...Object.fromEntries(marks) } as RecordedEvent
}

/** The first mark in a value of such a fold. */
function markIn(value: Plain): string | undefined {
  if (typeof value === 'string') return value.startsWith(SIGN) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value)
    .map(markIn)
    .find((mark) => mark !== undefined)
}

/** A value, or why nobody may read it. */
export function shownBehind(value: Plain, { erasedAt }: Eyes): AuditValue {
  const mark = markIn(value)
  if (mark === undefined) return { value }
  if (!mark.startsWith(ERASED)) return { hidden: 'sealed' }
  const [subject = ''] = mark.slice(ERASED.length).split(' ')
  return { hidden: 'erased', since: erasedAt.get(subject)?.toISOString() ?? null }
}

export const isErasedMark = (value: Plain | undefined): boolean => markIn(value ?? null)?.startsWith(ERASED) === true
