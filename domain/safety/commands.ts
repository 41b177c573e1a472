import { z } from 'zod'
import { MediaId, MemberId, MessageId, ReportId } from '../shared/ids.ts'
import { words } from '../shared/text.ts'
import { Evidence } from './events.ts'

/** api-contract §6.0 */
export const REASON_MAX = 1000

/** `report` is the id to use if this opens a new case. */
export const Report = z.object({
  type: z.literal('Report'),
  report: ReportId,
  by: MemberId,
  target: MemberId,
  message: MessageId.nullable(),
  media: MediaId.nullable(),
  reason: words(REASON_MAX),
  evidence: Evidence,
  at: z.date(),
})
export const CloseReport = z.object({
  type: z.literal('CloseReport'),
  report: ReportId,
  by: MemberId,
  target: MemberId,
  outcome: z.enum(['no-action', 'suspended']),
  at: z.date(),
})
export const DestroyEvidence = z.object({
  type: z.literal('DestroyEvidence'),
  report: ReportId,
  by: MemberId,
  target: MemberId,
  at: z.date(),
})

export const SafetyCommand = z.discriminatedUnion('type', [Report, CloseReport, DestroyEvidence])
export type SafetyCommand = z.infer<typeof SafetyCommand>
