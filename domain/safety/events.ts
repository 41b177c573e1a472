// These names and fields are the storage format; add, never change.
import { z } from 'zod'
import { at, defineEvent, type EventOf } from '../shared/event.ts'
import { MediaId, MemberId, MessageId, ReportId } from '../shared/ids.ts'
import { personal } from '../shared/personal.ts'

/** What the screen showed when it was reported, kept apart from what its author may delete (security T34). */
export const Evidence = z.object({
  profile: z.object({ firstName: z.string(), bio: z.string(), photos: z.array(z.string()) }).nullable(),
  messages: z.array(z.object({ id: MessageId, from: MemberId, text: z.string(), sentAt: z.string() })),
})
export type Evidence = z.infer<typeof Evidence>

const reported = {
  report: ReportId,
  by: MemberId,
  target: MemberId,
  /** The message pointed at, when one was. */
  message: MessageId.nullable(),
  reason: personal('report', z.string()),
  evidence: personal('report', Evidence),
  at,
}

/** `media`: the picture, video or voice pointed at, when one was. */
const reportedWithMedia = { ...reported, media: personal('report', MediaId.nullable()) }
const withoutMedia = (first: object) => ({ ...first, media: null })
/** A message's id is chosen by its author: it is kept no longer than the rest of the evidence. */
const reportedSealed = { ...reportedWithMedia, message: personal('report', MessageId.nullable()) }
/** The words of the report are its writer's: they go with the writer's key too (ruling R26, decision 0044). */
const reportedInOwnWords = { ...reportedSealed, reason: personal('report', z.string(), { and: 'by' }) }
const asItWas = (before: Record<string, unknown>) => before

export const MemberReported = defineEvent(
  'MemberReported',
  [z.object(reported), z.object(reportedWithMedia), z.object(reportedSealed), z.object(reportedInOwnWords)],
  [withoutMedia, asItWas, asItWas],
)
/** The same member reported the same target again within a day: one case, more evidence (api-contract C44). */
export const ReportAmended = defineEvent(
  'ReportAmended',
  [z.object(reported), z.object(reportedWithMedia), z.object(reportedSealed), z.object(reportedInOwnWords)],
  [withoutMedia, asItWas, asItWas],
)
export const ReportClosed = defineEvent('ReportClosed', [
  z.object({ report: ReportId, by: MemberId, target: MemberId, outcome: z.enum(['no-action', 'suspended']), at }),
])
/** The case's key is destroyed: neither the words of the report nor its evidence can be read again (security T34). */
export const EvidenceDestroyed = defineEvent('EvidenceDestroyed', [
  z.object({ report: ReportId, by: MemberId, target: MemberId, at }),
])

export const safetyEvents = [MemberReported, ReportAmended, ReportClosed, EvidenceDestroyed] as const
export type SafetyEvent = EventOf<(typeof safetyEvents)[number]>
