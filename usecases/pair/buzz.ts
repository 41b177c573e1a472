import { type Pair, type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { Via } from '../../domain/pair/events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { mayBuzz } from '../../projections/view/access.ts'
import { type PipelineRefusal, sendUntilItHolds, slowDown } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Acting } from '../ports.ts'

/** `closed`: blocked either way, hidden or deactivated, all alike. `unknown`: nobody is there (api-contract C07). */
export type BuzzRefusal = PairRefusal | PipelineRefusal | 'closed' | 'unknown'
export type BuzzOutcome = Outcome<{ matched: boolean }, BuzzRefusal>

/** Likes someone; the second of two makes the match (spec 1 §4, api-contract C07). */
export async function buzz(
  acting: Acting,
  { to, via, commandId }: { to: MemberId; via: Via; commandId: string },
): Promise<BuzzOutcome> {
  const wait = await slowDown(acting, 'LIKE')
  if (wait) return wait
  const from = acting.who.member
  const allowed = to === from || (await mayBuzz(acting.read, from, to))
  if (!allowed) return refused(allowed === null ? 'unknown' : 'closed')
  const unlimited = acting.limits.lifted && { unlimited: true as const }
  const same = { type: 'Buzz' as const, from, to, via }
  const command = { ...same, at: acting.now(), ...unlimited }
  const holds = ({ matched, buzzedBy }: Pair) => matched || buzzedBy.includes(from)
  const outcome = await sendUntilItHolds(acting, { commandId, same }, pairDecider, command, holds)
  if (outcome.ok) return done({ matched: outcome.value.events.some(({ type }) => type === 'Matched') })
  // A pair that unmatched lately is as closed as a blocked one, so that the answer reveals neither (ruling R5).
  return outcome.reason === 'blocked' || outcome.reason === 'too-soon' ? refused('closed') : outcome
}
