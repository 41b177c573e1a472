import { type Pair, type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'
import { doneWhereUnseen } from './unseen.ts'

/** Ends the match and closes the room for both (api-contract C43). */
export async function unmatch(
  acting: Acting,
  { target, commandId }: { target: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal>> {
  const by = acting.who.member
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const command = { type: 'Unmatch' as const, by, target, at: acting.now() }
  const holds = ({ matched }: Pair) => !matched
  const unmatched = await sendUntilItHolds(acting, { commandId, protects: true }, pairDecider, command, holds)
  return doneWhereUnseen(acting, target, unmatched, ['not-matched'])
}
