import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../../domain/identity/member.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Refusal } from '../act.server.ts'
import { type Erasing, finishErasure } from './finish-erasure.server.ts'

/**
 * Forgets a member for ever (ruling R26). The account ends first, which closes sockets and empties the read models; from
 * there on nothing leads back, and what is cut short is finished by the reactor on `AccountErased`, by the next start or
 * by the same call. Repeats are quiet.
 */
export async function eraseAccount(
  context: Erasing,
  member: MemberId,
): Promise<{ ok: true } | Refusal<'unknown' | 'conflict' | 'reused'>> {
  const { status } = await context.loadState(memberDecider, member)
  if (status === 'none') return { ok: false, reason: 'unknown' }
  if (status === 'suspended') await bar(context, member)
  if (status !== 'gone') {
    const source = { commandId: randomUUID(), actor: context.actor, correlationId: context.requestId }
    const command = { type: 'EraseAccount' as const, member, at: context.now() }
    const ended = await context.dispatch(memberDecider, command, source)
    if (!ended.ok && ended.reason !== 'unknown') return { ok: false, reason: ended.reason as 'conflict' | 'reused' }
    if (ended.ok) await context.caughtUp(ended.position)
  }
  return finishErasure(context, member)
}

/** Being erased is no way back in for who was shut out. */
async function bar(context: Erasing, member: MemberId): Promise<void> {
  const credential = await context.credentials.findByMember(member)
  if (credential) await context.barred.turnAway(credential.emailKey)
}
