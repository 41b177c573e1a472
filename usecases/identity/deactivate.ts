import { type MemberRefusal, memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'
import type { Ports } from '../ports.ts'
import { noteEndedSessions } from './log-out.ts'

export type AccountOutcome = { ok: true } | Refusal<MemberRefusal | PipelineRefusal>

/** Hides the account from everyone and signs it out everywhere, here too (spec 2 §4, api-contract C33). */
export async function deactivate(
  context: Ports,
  me: MemberId,
  { commandId }: { commandId: string },
): Promise<AccountOutcome> {
  const wait = await slowDown(context, 'CRIT', me)
  if (wait) return wait
  const command = { type: 'Deactivate' as const, member: me, at: context.now() }
  const outcome = await send(context, { me, commandId }, memberDecider, command)
  if (!outcome.ok) return outcome
  await noteEndedSessions(context, me, await context.sessions.revokeAll(me))
  return { ok: true }
}
