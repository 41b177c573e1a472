import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { mayBuzz } from '../../projections/view/access.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import { type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Passes someone over for 112 days (ruling R11). */
export async function skip(
  acting: Acting,
  { to, commandId }: { to: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal | 'unknown'>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const by = acting.who.member
  if (to !== by && (await mayBuzz(acting.read, by, to)) === null) return refused('unknown')
  return sendUntilItHolds(acting, { commandId }, pairDecider, { type: 'Skip', by, target: to, at: acting.now() })
}
