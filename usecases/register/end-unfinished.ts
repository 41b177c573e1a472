import { randomUUID } from 'node:crypto'
import { emailDecider } from '../../domain/identity/email.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { LapsedProof } from '../../services/proof-endings.ts'
import { eraseAccount } from '../identity/erase-account.ts'
import type { Erasing } from '../identity/finish-erasure.ts'
import type { Ports } from '../ports.ts'
import { isRegistered } from './confirm-address.ts'
import { memberOfProof } from './proof.ts'

type Ending = Erasing & Pick<Ports, 'proofs'>

/**
 * Ends every registration whose proof is too old for anybody to continue, in batches of `limit`. Answers how many it went
 * through; one that fails stops no other, and is tried again the next time.
 */
export async function endUnfinished(context: Ending, limit?: number): Promise<number> {
  const before = context.now()
  const failures: unknown[] = []
  let seen = 0
  for (;;) {
    const lapsed = await context.proofs.takeLapsed(before, limit)
    if (lapsed.length === 0) break
    for (const proof of lapsed) await endProof(context, proof).catch((error: unknown) => failures.push(error))
    seen += lapsed.length
  }
  if (failures.length > 0) throw failures[0]
  return seen
}

/**
 * Erases what a registration began, and frees its address. One that lacks nothing but its end becomes an account, unless
 * its proof was refused. The address goes first: either the registration is confirmed before that, and nothing is erased,
 * or nobody can confirm it any more.
 */
export async function endProof(context: Ending, proof: LapsedProof): Promise<void> {
  const { id, refused, idle } = proof
  const member = memberOfProof(proof)
  if (!refused && (await isAccount(context, member))) return context.proofs.endLapsed(id)
  if (!(await freeAddress(context, proof, member))) return context.proofs.endLapsed(id)
  const { status } = await context.loadState(memberDecider, member)
  if (status !== 'none') await erase(context, member)
  await context.media.removeAll({ proof: id })
  await context.media.removeAll({ member })
  if (idle) await context.proofs.endLapsed(id)
}

async function isAccount(context: Ending, member: MemberId): Promise<boolean> {
  const credential = await context.credentials.findByMember(member)
  return credential !== null && isRegistered(context, credential)
}

/** False when the registration has been confirmed meanwhile; that of a refused proof does not count. */
async function freeAddress(context: Ending, { emailKey, refused }: LapsedProof, member: MemberId): Promise<boolean> {
  const command = { type: refused ? 'ReleaseEmail' : 'CancelReservation', emailKey, member, at: context.now() } as const
  const freed = await context.dispatch(emailDecider, command, { commandId: randomUUID(), actor: context.actor })
  if (!freed.ok && freed.reason !== 'confirmed') throw unended(freed.reason)
  return freed.ok
}

async function erase(context: Ending, member: MemberId): Promise<void> {
  const erased = await eraseAccount(context, member)
  if (!erased.ok) throw unended(erased.reason)
}

const unended = (reason: string) => new Error(`An unfinished registration could not be ended: ${reason}.`)
