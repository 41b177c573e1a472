import type { PairCommand } from '../../domain/pair/commands.ts'
import { type PairRefusal, pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { findAccess } from '../../projections/view/access.ts'
import { type Acting, type PipelineRefusal, type Rate, type Refusal, send, slowDown } from '../act.ts'

type Parting = { target: MemberId; commandId: string }
export type PartOutcome = { ok: true } | Refusal<PairRefusal | PipelineRefusal | 'unknown'>

/** Ends the match and closes the room for both (api-contract C43). */
export function unmatch(context: Acting, me: MemberId, parting: Parting): Promise<PartOutcome> {
  return part(context, me, 'WRITE', 'Unmatch', parting)
}

/**
 * Shuts someone out in both directions: also one who is deactivated or who blocked first (api-contract C40). It takes
 * the likes, the match and their notifications with it.
 */
export async function block(context: Acting, me: MemberId, parting: Parting): Promise<PartOutcome> {
  if ((await findAccess(context.read, me, parting.target)) === null) return { ok: false, reason: 'unknown' }
  return part(context, me, 'BLOCK', 'Block', parting)
}

/** Lifts the own block; the match does not come back (ruling R27). */
export function unblock(context: Acting, me: MemberId, parting: Parting): Promise<PartOutcome> {
  return part(context, me, 'WRITE', 'Unblock', parting)
}

async function part(
  context: Acting,
  me: MemberId,
  rate: Rate,
  type: 'Unmatch' | 'Block' | 'Unblock',
  { target, commandId }: Parting,
): Promise<PartOutcome> {
  const wait = await slowDown(context, rate, me)
  if (wait) return wait
  const command: PairCommand = { type, by: me, target, at: context.now() }
  return send(context, { me, commandId }, pairDecider, command)
}
