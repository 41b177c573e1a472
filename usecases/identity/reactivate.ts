import type { MemberRefusal } from '../../domain/identity/member.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type Acting, type PipelineRefusal, type Refusal, send, slowDown } from '../act.ts'

/** Ends a deactivation (ruling R25, api-contract C29); quiet for an active account. */
export async function reactivate(
  context: Acting,
  me: MemberId,
  { commandId }: { commandId: string },
): Promise<{ ok: true } | Refusal<MemberRefusal | PipelineRefusal>> {
  const wait = await slowDown(context, 'WRITE', me)
  if (wait) return wait
  return send(context, { me, commandId }, memberDecider, { type: 'Reactivate', member: me, at: context.now() })
}
