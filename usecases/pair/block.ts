import { memberDecider } from '../../domain/identity/member.ts'
import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { findAccess } from '../../projections/view/access.ts'
import type { Credential } from '../../services/credentials.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import { type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/**
 * Shuts someone out in both directions: also one who is deactivated or who blocked first (api-contract C40). It takes
 * the likes, the match and their notifications with it. An old form sent again after an unblock blocks again.
 */
export async function block(
  acting: Acting,
  { target, commandId }: { target: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal | 'unknown'>> {
  const by = acting.who.member
  const account = await acting.credentials.findByMember(target)
  if ((await findAccess(acting.read, by, target)) === null) return refused('unknown')
  const wait = await slowDown(acting, 'BLOCK')
  if (wait) return wait
  const command = { type: 'Block' as const, by, target, at: acting.now() }
  const sent = await sendUntilItHolds(acting, { commandId, protects: true }, pairDecider, command)
  if (sent.ok && account) await keepBeyondErasure(acting, account)
  return sent
}

/** The account may have ended meanwhile, with the look at who had blocked it behind it (security T16). */
async function keepBeyondErasure({ loadState, keptBlocks, who }: Acting, { member, emailKey }: Credential) {
  const { status } = await loadState(memberDecider, member)
  if (status === 'gone') await keptBlocks.keep(emailKey, who.member)
}
