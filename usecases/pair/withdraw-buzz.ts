import { type Pair, type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'
import { doneWhereUnseen } from './unseen.ts'

/** Takes back a buzz that was not answered yet (ruling R11). */
export async function withdrawBuzz(
  acting: Acting,
  { to, commandId }: { to: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const from = acting.who.member
  const command = { type: 'WithdrawBuzz' as const, from, to, at: acting.now() }
  const holds = ({ buzzedBy }: Pair) => !buzzedBy.includes(from)
  const withdrawn = await sendUntilItHolds(acting, { commandId }, pairDecider, command, holds)
  return doneWhereUnseen(acting, to, withdrawn, ['not-buzzed', 'already-matched'])
}
