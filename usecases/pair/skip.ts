import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { findAccess } from '../../projections/view/access.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDownBy } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Passes someone over for 112 days (ruling R11). */
export async function skip(
  acting: Acting,
  { to, commandId }: { to: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal | 'unknown'>> {
  const wait = await slowDownBy(acting, ['WRITE', 'SKIP'])
  if (wait) return wait
  const by = acting.who.member
  const access = await findAccess(acting.read, by, to)
  if (access === null) return refused('unknown')
  // Nothing to undo either: no answer shows whether they blocked the member or are deactivated (ruling R5).
  if (access === 'unavailable') return done(null)
  const command = { type: 'Skip' as const, by, target: to, at: acting.now() }
  return sendUntilItHolds(acting, { commandId }, pairDecider, command)
}
