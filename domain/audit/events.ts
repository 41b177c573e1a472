// These names and fields are the storage format; add, never change.
import { z } from 'zod'
import { at, defineEvent, type EventOf } from '../shared/event.ts'
import { AddressId, MemberId } from '../shared/ids.ts'
import { personal } from '../shared/personal.ts'

/** A member with the role, or the operator at a terminal. */
export const Auditor = z.union([MemberId, z.literal('admin:cli')])
export type Auditor = z.infer<typeof Auditor>

const FirstView = z.enum(['timeline', 'state', 'difference', 'rows'])
/** What of an account was looked at; `case`: the evidence of a report by or about it. */
export const View = z.enum([...FirstView.options, 'case'])
export type View = z.infer<typeof View>

/** Every look at an account is a fact of its own (security §3.3). */
export const AccountViewed = defineEvent(
  'AccountViewed',
  [
    z.object({ auditor: Auditor, member: MemberId, view: FirstView, at }),
    z.object({ auditor: Auditor, member: MemberId, view: View, at }),
  ],
  [(first) => first],
)
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
 * An auditor looked for an account, found or not. Of an e-mail address its id, null where it has none, since nothing in the
 * log may follow from the address itself (decision 0023). Of other words `asked`, their keyed hash: it shows whether given
 * words were asked for, and not what was. Version 1 has it of both.
 */
export const AccountSearched = defineEvent(
  'AccountSearched',
  [
    z.object({ auditor: Auditor, asked: z.string(), found: z.number().int(), at }),
    z.object({
      auditor: Auditor,
      asked: z.string().nullable(),
      address: AddressId.nullable(),
      found: z.number().int(),
      at,
    }),
  ],
  [(first) => ({ ...first, address: null })],
)

export const auditEvents = [AccountViewed, FieldsRevealed, HistoryExported, AccountSearched] as const
export type AuditEvent = EventOf<(typeof auditEvents)[number]>
