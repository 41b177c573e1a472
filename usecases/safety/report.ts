import { REASON_MAX } from '../../domain/safety/commands.ts'
import { type SafetyRefusal, safetyDecider } from '../../domain/safety/decider.ts'
import type { Evidence } from '../../domain/safety/events.ts'
import type { MemberId, MessageId, ReportId } from '../../domain/shared/ids.ts'
import { words } from '../../domain/shared/text.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { collectEvidence } from '../../projections/view/evidence.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'

export type Reporting = { target: MemberId; reason: string; message?: MessageId | undefined; commandId: string }
export type ReportOutcome =
  | { ok: true; report: ReportId; receivedAt: string }
  | Refusal<SafetyRefusal | PipelineRefusal | 'unknown' | 'reason-required'>

/**
 * Reports a member, also one who is blocked, unmatched or gone, with what stood on the screen kept apart (api-contract
 * C44, security T34). The target is never told.
 */
export async function report(
  context: Acting,
  me: MemberId,
  { target, reason, message, commandId }: Reporting,
): Promise<ReportOutcome> {
  const said = words(REASON_MAX).safeParse(reason)
  if (!said.success) return { ok: false, reason: 'reason-required' }
  if (target === me) return { ok: false, reason: 'self' }
  const wait = await slowDown(context, 'REPORT', me)
  if (wait) return wait
  const evidence: Evidence | null = await collectEvidence(context.read, me, target)
  if (!evidence) return { ok: false, reason: 'unknown' }
  const at = context.now()
  const command = {
    type: 'Report' as const,
    report: idFrom('report', commandId) as ReportId,
    by: me,
    target,
    message: message ?? null,
    reason: said.data,
    evidence,
    at,
  }
  const same = { target, reason: said.data, message: message ?? null }
  const outcome = await send(context, { me, commandId, same }, safetyDecider, command)
  if (!outcome.ok) return outcome
  const event = outcome.events[0]!
  return { ok: true, report: event.report, receivedAt: event.at.toISOString() }
}
