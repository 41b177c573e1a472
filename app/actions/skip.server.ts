import { pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { mayBuzz } from '../../projections/access.ts'
import type { RequestContext } from '../lib/context.server.ts'
import { act, type PipelineRefusal, type Refusal, slowDown } from './act.server.ts'

type Skipping = { to: MemberId; commandId: string }
export type SkipOutcome = { ok: true } | Refusal<'self' | 'already-matched' | 'unknown' | PipelineRefusal>

/** Passes someone over for 112 days; who is gone meanwhile is passed over already (ruling R11). */
export async function skip(context: RequestContext, me: MemberId, { to, commandId }: Skipping): Promise<SkipOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  if (to !== me && (await mayBuzz(context.read, me, to)) === null) return { ok: false, reason: 'unknown' }
  const command = { type: 'Skip' as const, by: me, target: to, at: context.now() }
  return (await context.dispatch(pairDecider, command, act(context, me, commandId))) as SkipOutcome
}

/** Brings a skipped member back into the deck. */
export async function undoSkip(
  context: RequestContext,
  me: MemberId,
  { to, commandId }: Skipping,
): Promise<{ ok: true } | Refusal<'not-skipped' | PipelineRefusal>> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  const command = { type: 'UndoSkip' as const, by: me, target: to, at: context.now() }
  const outcome = await context.dispatch(pairDecider, command, act(context, me, commandId))
  return outcome as { ok: true } | Refusal<'not-skipped' | PipelineRefusal>
}
