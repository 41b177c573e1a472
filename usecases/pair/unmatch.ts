import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'

import { type PipelineRefusal, send, slowDown } from '../act.ts'
import type { Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** Ends the match and closes the room for both (api-contract C43). */
export async function unmatch(
  acting: Acting,
  { target, commandId }: { target: MemberId; commandId: string },
): Promise<Outcome<unknown, PairRefusal | PipelineRefusal>> {
  const by = acting.who.member

  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  return send(acting, { commandId }, pairDecider, { type: 'Unmatch', by, target, at: acting.now() })
}
