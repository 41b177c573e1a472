import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import type { Refused } from '../outcome.ts'
import { type Erasing, type ErasureDone, finishErasure } from './finish-erasure.ts'

export type NotEnded = 'unknown' | 'conflict' | 'reused'
type Stopped = Refused<NotEnded>

/**
 * Forgets a member for ever (ruling R26). The account ends first, which closes sockets and empties the read models;
 * from there on nothing leads back, and what is interrupted is finished by the reactor on `AccountErased`, by the next
 * start or by the same call. Repeats are quiet.
 */
export async function eraseAccount(context: Erasing, member: MemberId): Promise<ErasureDone | Stopped> {
  const ended = await endAccount(context, member)
  if (!ended.ok) return ended
  if (ended.position) await context.caughtUp(ended.position)
  return finishErasure(context, member)
}

type Ended = { readonly ok: true; readonly position: Position | null }

/** The point of no return alone, and the end of every session. `position`: of its event, where it was this call that came to it. */
export async function endAccount(context: Erasing, member: MemberId): Promise<Ended | Stopped> {
  const { status } = await context.loadState(memberDecider, member)
  if (status === 'none') return { ok: false, reason: 'unknown' }
  if (status === 'gone') return { ok: true, position: null }
  if (status === 'suspended') await keepOut(context, member)
  const source = { commandId: randomUUID(), actor: context.actor, correlationId: context.requestId }
  const command = { type: 'EraseAccount' as const, member, at: context.now() }
  const ended = await context.dispatch(memberDecider, command, source)
  // Unknown: gone since the look above.
  if (!ended.ok && ended.reason !== 'unknown') return { ok: false, reason: ended.reason as 'conflict' | 'reused' }
  // At once, and not after read models that may be behind; finishing the erasure comes to what fails here.
  await context.sessions.revokeAll(member).catch(() => undefined)
  return { ok: true, position: ended.ok ? ended.position : null }
}

/** Being erased is no way back in for who was shut out (security §3.3). */
async function keepOut({ credentials, barred }: Erasing, member: MemberId): Promise<void> {
  const credential = await credentials.findByMember(member)
  if (credential) await barred.turnAway(credential.emailKey)
}
