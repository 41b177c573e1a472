import { type Pair, type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Brings a skipped member back into the deck (ruling R11). */
export async function undoSkip(
  acting: Acting,
  { to, commandId }: { to: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const by = acting.who.member
  const command = { type: 'UndoSkip' as const, by, target: to, at: acting.now() }
  const holds = ({ skippedUntil }: Pair) => !(by in skippedUntil)
  return sendUntilItHolds(acting, { commandId }, pairDecider, command, holds)
}
