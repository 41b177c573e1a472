import { pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { findAccess } from '../../projections/access.ts'
import type { RequestContext } from '../lib/context.server.ts'
import { act, type PipelineRefusal, type Refusal, slowDown } from './act.server.ts'

type Parting = { target: MemberId; commandId: string }
type Done = { ok: true }

/** Ends the match and closes the room for both (api-contract C43). */
export async function unmatch(
  context: RequestContext,
  me: MemberId,
  { target, commandId }: Parting,
): Promise<Done | Refusal<'not-matched' | PipelineRefusal>> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  const command = { type: 'Unmatch' as const, by: me, target, at: context.now() }
  return (await context.dispatch(pairDecider, command, act(context, me, commandId))) as
    | Done
    | Refusal<'not-matched' | PipelineRefusal>
}

/**
 * Shuts someone out in both directions: also one who is deactivated or who blocked first (api-contract C40). It takes
 * the likes, the match and their notifications with it.
 */
export async function block(
  context: RequestContext,
  me: MemberId,
  { target, commandId }: Parting,
): Promise<Done | Refusal<'self' | 'unknown' | PipelineRefusal>> {
  const wait = await slowDown(context, 'SAFETY_BLOCK', me)
  if (wait) return wait
  if ((await findAccess(context.read, me, target)) === null) return { ok: false, reason: 'unknown' }
  const command = { type: 'Block' as const, by: me, target, at: context.now() }
  return (await context.dispatch(pairDecider, command, act(context, me, commandId))) as
    | Done
    | Refusal<'self' | PipelineRefusal>
}

/** Lifts the own block; the match does not come back (ruling R27). */
export async function unblock(
  context: RequestContext,
  me: MemberId,
  { target, commandId }: Parting,
): Promise<Done | Refusal<'not-blocked' | PipelineRefusal>> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  const command = { type: 'Unblock' as const, by: me, target, at: context.now() }
  return (await context.dispatch(pairDecider, command, act(context, me, commandId))) as
    | Done
    | Refusal<'not-blocked' | PipelineRefusal>
}
