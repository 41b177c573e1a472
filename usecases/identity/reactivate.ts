import { type MemberRefusal, memberDecider } from '../../domain/identity/member.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Ends a deactivation (ruling R25, api-contract C29); quiet for an active account. */
export async function reactivate(
  acting: Acting,
  { commandId }: { commandId: string },
): Promise<Outcome<unknown, MemberRefusal | PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const command = { type: 'Reactivate' as const, member: acting.who.member, at: acting.now() }
  return sendUntilItHolds(acting, { commandId }, memberDecider, command)
}
