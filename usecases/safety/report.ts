import { REASON_MAX } from '../../domain/safety/commands.ts'
import { type SafetyRefusal, safetyDecider } from '../../domain/safety/decider.ts'
import type { Evidence } from '../../domain/safety/events.ts'
import type { MediaId, MemberId, MessageId, ReportId } from '../../domain/shared/ids.ts'
import { words } from '../../domain/shared/text.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { type PipelineRefusal, send, slowDown } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'
import { evidenceOf, type Reportable } from './reportable.ts'

export type Reporting = {
  target: MemberId
  reason: string
  message?: MessageId | null | undefined
  media?: MediaId | null | undefined
  commandId: string
}
export type ReportRefusal = SafetyRefusal | PipelineRefusal | 'unknown' | 'reason-required'
export type ReportOutcome = Outcome<{ report: ReportId; receivedAt: string }, ReportRefusal>

/**
 * Reports a member, also one who is blocked, unmatched or gone, with what the screen showed kept separately
 * (api-contract C44, security T34). The target never learns of it.
 */
export async function report(
  acting: Acting,
  { target, reason, message = null, media = null, commandId }: Reporting,
): Promise<ReportOutcome> {
  const by = acting.who.member
  const parsed = words(REASON_MAX).safeParse(reason)
  if (!parsed.success) return refused('reason-required')
  if (target === by) return refused('self')
  const wait = await slowDown(acting, 'REPORT')
  if (wait) return wait
  const reportable = await evidenceOf(acting, target, { message, media })
  const pointed = reportable && (await theirs(acting, { target, message, media }, reportable))
  if (!pointed) return refused('unknown')
  const same = { target, reason: parsed.data, message, media }
  const id = idFrom('report', by, target, commandId) as ReportId
  const command = { type: 'Report' as const, report: id, by, ...same, ...pointed, at: acting.now() }
  const outcome = await send(acting, { commandId, same }, safetyDecider, command)
  if (!outcome.ok) return outcome
  const event = outcome.value.events[0]!
  return done({ report: event.report, receivedAt: event.at.toISOString() })
}

type Pointing = { target: MemberId; message: MessageId | null; media: MediaId | null }

type Kept = { evidence: Evidence; message: MessageId | null; media: MediaId | null }

/**
 * What the report keeps, or null where it points at something else: the message is of the two, and the file the target's,
 * also one that they removed (security T34). An erasure takes the names of messages and the owners of files with it, so what
 * a page that is still open points at of somebody erased is left out.
 */
async function theirs(
  { media: files }: Acting,
  { target, message, media }: Pointing,
  { evidence, gone }: Reportable,
): Promise<Kept | null> {
  const owner = media && (await files.ownerOf(media))
  const known = {
    evidence,
    message: evidence.messages.some(({ id }) => id === message) ? message : null,
    media: owner === target && !gone ? media : null,
  }
  if (known.message === message && known.media === media) return known
  if (media && owner && owner !== target) return null
  return gone ? known : null
}
