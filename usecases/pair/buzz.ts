import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { Via } from '../../domain/pair/events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { mayBuzz } from '../../projections/view/access.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'

/** `closed`: blocked either way, hidden or deactivated, all alike. `unknown`: nobody is there (api-contract C07). */
export type BuzzOutcome = { ok: true; matched: boolean } | Refusal<PairRefusal | PipelineRefusal | 'closed' | 'unknown'>

/** Likes someone; the second of two makes the match (spec 1 §4, api-contract C07). */
export async function buzz(
  context: Acting,
  me: MemberId,
  { to, via, commandId }: { to: MemberId; via: Via; commandId: string },
): Promise<BuzzOutcome> {
  const wait = await slowDown(context, 'LIKE', me)
  if (wait) return wait
  const allowed = to === me || (await mayBuzz(context.read, me, to))
  if (!allowed) return { ok: false, reason: allowed === null ? 'unknown' : 'closed' }
  const command = { type: 'Buzz' as const, from: me, to, via, at: context.now() }
  const outcome = await send(context, { me, commandId }, pairDecider, command)
  if (outcome.ok) return { ok: true, matched: outcome.events.some((event) => event.type === 'Matched') }
  // A pair that parted lately is as closed as a blocked one, so that the answer tells neither (ruling R5).
  return outcome.reason === 'blocked' || outcome.reason === 'too-soon' ? { ok: false, reason: 'closed' } : outcome
}

/** Takes back a buzz that was not answered yet (ruling R11). */
export async function withdrawBuzz(
  context: Acting,
  me: MemberId,
  { to, commandId }: { to: MemberId; commandId: string },
): Promise<{ ok: true } | Refusal<PairRefusal | PipelineRefusal>> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  return send(context, { me, commandId }, pairDecider, { type: 'WithdrawBuzz', from: me, to, at: context.now() })
}
