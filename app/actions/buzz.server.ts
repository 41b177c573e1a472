import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { Via } from '../../domain/pair/events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { mayBuzz } from '../../projections/access.ts'
import type { RequestContext } from '../lib/context.server.ts'
import { act, type PipelineRefusal, type Refusal, slowDown } from './act.server.ts'

/** `closed`: blocked either way, hidden or deactivated, told apart by nobody. `unknown`: nobody is there (C07). */
export type BuzzOutcome =
  | { ok: true; matched: boolean }
  | Refusal<Extract<PairRefusal, 'self' | 'already-buzzed' | 'already-matched'> | PipelineRefusal | 'closed' | 'unknown'>

/** Likes someone; the second of two makes the match (spec 1 §4, api-contract C07). */
export async function buzz(
  context: RequestContext,
  me: MemberId,
  { to, via, commandId }: { to: MemberId; via: Via; commandId: string },
): Promise<BuzzOutcome> {
  const wait = await slowDown(context, 'LIKE', me)
  if (wait) return wait
  if (to !== me) {
    const allowed = await mayBuzz(context.read, me, to)
    if (allowed === null) return { ok: false, reason: 'unknown' }
    if (!allowed) return { ok: false, reason: 'closed' }
  }
  const command = { type: 'Buzz' as const, from: me, to, via, at: context.now() }
  const outcome = await context.dispatch(pairDecider, command, act(context, me, commandId))
  if (outcome.ok) return { ok: true, matched: outcome.events.some((event) => event.type === 'Matched') }
  return { ...outcome, reason: CLOSED.has(outcome.reason) ? 'closed' : outcome.reason } as BuzzOutcome
}

/** A pair that parted lately is as closed as a blocked one: the answer tells neither (ruling R5). */
const CLOSED = new Set<string>(['blocked', 'too-soon'])

/** Takes back a buzz that was not answered yet (ruling R11). */
export async function withdrawBuzz(
  context: RequestContext,
  me: MemberId,
  { to, commandId }: { to: MemberId; commandId: string },
): Promise<{ ok: true } | Refusal<'not-buzzed' | 'already-matched' | PipelineRefusal>> {
  const command = { type: 'WithdrawBuzz' as const, from: me, to, at: context.now() }
  const outcome = await context.dispatch(pairDecider, command, act(context, me, commandId))
  return outcome.ok ? { ok: true } : (outcome as Refusal<'not-buzzed' | 'already-matched' | PipelineRefusal>)
}
