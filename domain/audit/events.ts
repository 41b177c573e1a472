// These names and fields are the storage format; add, never change.
import { z } from 'zod'
import { at, defineEvent, type EventOf } from '../shared/event.ts'
import { MemberId } from '../shared/ids.ts'
import { personal } from '../shared/personal.ts'

/** A member with the role, or the operator at a terminal. */
export const Auditor = z.union([MemberId, z.literal('admin:cli')])
export type Auditor = z.infer<typeof Auditor>

/** What of an account was looked at. */
export const View = z.enum(['timeline', 'state', 'difference', 'rows'])
export type View = z.infer<typeof View>

/** Every look at an account is a fact of its own (security §3.3). */
export const AccountViewed = defineEvent('AccountViewed', [
  z.object({ auditor: Auditor, member: MemberId, view: View, at }),
])
/** Until then the auditor reads what is sealed for the member; the reason is the auditor's own words. */
export const FieldsRevealed = defineEvent('FieldsRevealed', [
  z.object({
    auditor: Auditor,
    member: MemberId,
    reason: personal('auditor', z.string()),
    until: z.coerce.date(),
    at,
  }),
])
export const HistoryExported = defineEvent('HistoryExported', [
  z.object({ auditor: Auditor, member: MemberId, events: z.number().int(), at }),
])
/**
 * An auditor looked for an account, found or not. `asked` is the keyed hash of the words, as of an address in the name
 * of its stream: it shows whether given words were asked for, and not what was.
 */
export const AccountSearched = defineEvent('AccountSearched', [
  z.object({ auditor: Auditor, asked: z.string(), found: z.number().int(), at }),
])

export const auditEvents = [AccountViewed, FieldsRevealed, HistoryExported, AccountSearched] as const
export type AuditEvent = EventOf<(typeof auditEvents)[number]>
