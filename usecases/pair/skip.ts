import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { mayBuzz } from '../../projections/view/access.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'

type Skipping = { to: MemberId; commandId: string }
export type SkipOutcome = { ok: true } | Refusal<PairRefusal | PipelineRefusal | 'unknown'>

/** Passes someone over for 112 days (ruling R11). */
export async function skip(context: Acting, me: MemberId, { to, commandId }: Skipping): Promise<SkipOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  if (to !== me && (await mayBuzz(context.read, me, to)) === null) return { ok: false, reason: 'unknown' }
  return send(context, { me, commandId }, pairDecider, { type: 'Skip', by: me, target: to, at: context.now() })
}

/** Brings a skipped member back into the deck. */
export async function undoSkip(context: Acting, me: MemberId, { to, commandId }: Skipping): Promise<SkipOutcome> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  return send(context, { me, commandId }, pairDecider, { type: 'UndoSkip', by: me, target: to, at: context.now() })
}
