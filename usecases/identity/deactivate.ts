import { type Member, type MemberRefusal, memberDecider } from '../../domain/identity/member.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import { revokeOwing } from '../owed.ts'
import type { Acting } from '../ports.ts'

/** Hides the account from everyone and signs it out everywhere, here too (spec 2 §4, api-contract C33). */
export async function deactivate(
  acting: Acting,
  { commandId }: { commandId: string },
): Promise<Outcome<unknown, MemberRefusal | PipelineRefusal>> {
  const wait = await slowDown(acting, 'CRIT')
  if (wait) return wait
  const { member } = acting.who
  const command = { type: 'Deactivate' as const, member, at: acting.now() }
  const holds = ({ status }: Member) => status === 'deactivated'
  const outcome = await sendUntilItHolds(acting, { commandId }, memberDecider, command, holds)
  if (outcome.ok) await revokeOwing(acting, member, (rows) => rows.revokeAll(member))
  return outcome
}
