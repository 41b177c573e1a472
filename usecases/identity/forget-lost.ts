import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { AddressId, MemberId } from '../../domain/shared/ids.ts'
import type { Refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { leaveAddress } from './address-id.ts'
import { type Erasing, ErasureIncomplete, removeRows } from './finish-erasure.ts'

/** Who may still log in, as far as the database knows, and of whom the log knows nothing: it was set back behind their sign-up. */
export async function isLost(context: Pick<Ports, 'credentials' | 'loadState'>, member: MemberId): Promise<boolean> {
  if (!(await context.credentials.findByMember(member))) return false
  return (await context.loadState(memberDecider, member)).status === 'none'
}

/**
 * Forgets a member whom the log has lost, so that their address is free for them to join anew. There is no account to end and none
 * to certify the erasure of. Each step may come again; throws what a step throws, and `ErasureIncomplete`.
 */
export async function forgetLost(
  context: Erasing,
  member: MemberId,
): Promise<{ readonly ok: true } | Refused<'conflict' | 'reused'>> {
  const { credentials, erasure } = context
  const emailKey = (await credentials.findByMember(member))?.emailKey ?? null
  await erasure.ledger.add([member])
  await erasure.destroyKey(member)
  await removeRows(context, member, emailKey)
  // Tables that have seen what the log lost, and that nothing empties any more.
  await erasure.dropUnknown()
  const busy = await erasure.dropUnfollowed()
  if (busy.length > 0)
    throw new ErasureIncomplete(`Tables of ${busy.join(', ')} are behind, being filled, or not empty yet.`)
  let address: AddressId | null = null
  if (emailKey) {
    const source = { commandId: randomUUID(), actor: context.actor, correlationId: context.requestId }
    const left = await leaveAddress(context, { type: 'ReleaseEmail', emailKey, member }, source)
    if (!left.ok) return { ok: false, reason: left.reason as 'conflict' | 'reused' }
    address = left.over
  }
  await removeRows(context, member, null)
  // Last: by the credential alone the next try knows that there is something to do.
  await credentials.remove(member)
  const { left } = await erasure.look({ member, emailKey: null, address })
  if (left > 0) throw new ErasureIncomplete(`${left} rows of ${member} are left.`)
  await erasure.settle(member)
  return { ok: true }
}
