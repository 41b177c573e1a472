import { z } from 'zod'
import { AddressId, MemberId } from '../shared/ids.ts'
import { words } from '../shared/text.ts'
import { Auditor, View } from './events.ts'
import { REVEAL_REASON_MAX } from './limits.ts'

/** Characters of why sealed fields are opened. */
export const RevealReason = words(REVEAL_REASON_MAX)

const at = z.date()
const about = { auditor: Auditor, member: MemberId, at }
export const ViewAccount = z.object({ type: z.literal('ViewAccount'), ...about, view: View })
export const RevealFields = z.object({ type: z.literal('RevealFields'), ...about, reason: RevealReason })
export const ExportHistory = z.object({
  type: z.literal('ExportHistory'),
  ...about,
  events: z.number().int().nonnegative(),
})
/** An e-mail address by its id, other words by their keyed hash. */
export const SearchAccount = z.object({
  type: z.literal('SearchAccount'),
  auditor: Auditor,
  asked: z.string().nullable(),
  address: AddressId.nullable(),
  found: z.number().int().nonnegative(),
  at,
})

export const AuditCommand = z.discriminatedUnion('type', [ViewAccount, RevealFields, ExportHistory, SearchAccount])
export type AuditCommand = z.infer<typeof AuditCommand>
