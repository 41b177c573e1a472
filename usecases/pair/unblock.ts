import { type Pair, type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Lifts the own block; the match does not come back (ruling R27). */
export async function unblock(
  acting: Acting,
  { target, commandId }: { target: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal>> {
  const by = acting.who.member
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const command = { type: 'Unblock' as const, by, target, at: acting.now() }
  const holds = ({ blockedBy }: Pair) => !blockedBy.includes(by)
  return sendUntilItHolds(acting, { commandId }, pairDecider, command, holds)
}
