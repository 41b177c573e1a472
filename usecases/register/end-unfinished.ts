import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { LapsedProof } from '../../services/proof-endings.ts'
import { leaveAddress } from '../identity/address-id.ts'
import { endAccount } from '../identity/erase-account.ts'
import { askingOnce, type Erasing, finishErasure } from '../identity/finish-erasure.ts'
import type { Refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { isRegistered } from './confirm-address.ts'
import { memberOfProof } from './proof.ts'

type Ending = Erasing & Pick<Ports, 'proofs'>

/**
 * Ends every registration whose proof is too old for anybody to continue, in batches of `limit`. Answers how many it went
 * through; one that fails stops no other, and is tried again the next time. In a batch all accounts end before the first
 * is erased: read models are waited for once, so that a batch ends before its leases do.
 */
export async function endUnfinished(context: Ending, limit?: number): Promise<number> {
  const before = context.now()
  const failures: unknown[] = []
  const each = async (proofs: readonly LapsedProof[], work: (proof: LapsedProof) => Promise<unknown>) => {
    for (const proof of proofs) await work(proof).catch((error: unknown) => failures.push(error))
  }
  let seen = 0
  for (;;) {
    const lapsed = await context.proofs.takeLapsed(before, limit)
    if (lapsed.length === 0) break
    const shut: LapsedProof[] = []
    await each(lapsed, async (proof) => {
      if (await shutProof(context, proof)) shut.push(proof)
    })
    const once = askingOnce(context)
    await each(shut, (proof) => removeBegun(once, proof))
    seen += lapsed.length
  }
  if (failures.length > 0) throw failures[0]
  return seen
}

/**
 * Erases what a registration began, and frees its address. One that lacks nothing but its end becomes an account, unless
 * its proof was refused.
 */
export async function endProof(context: Ending, proof: LapsedProof): Promise<void> {
  if (await shutProof(context, proof)) await removeBegun(context, proof)
}

/**
 * True once nobody can confirm the registration any more, and its member is no account; false where it is one. The address
 * goes first: either the registration is confirmed before that, and nothing is erased, or nobody can confirm it.
 */
async function shutProof(context: Ending, proof: LapsedProof): Promise<boolean> {
  const { id, refused } = proof
  const member = memberOfProof(proof)
  if ((!refused && (await isAccount(context, member))) || !(await freeAddress(context, proof, member))) {
    await context.proofs.endLapsed(id)
    return false
  }
  if (await isRecorded(context, member)) endedOrThrow(await endAccount(context, member))
  return true
}

async function removeBegun(context: Ending, proof: LapsedProof): Promise<void> {
  const { id, idle } = proof
  const member = memberOfProof(proof)
  if (await isRecorded(context, member)) endedOrThrow(await finishErasure(context, member))
  await context.media.removeAll({ proof: id })
  await context.media.removeAll({ member })
  if (idle) await context.proofs.endLapsed(id)
}

const isRecorded = async ({ loadState }: Ending, member: MemberId) =>
  (await loadState(memberDecider, member)).status !== 'none'

async function isAccount(context: Ending, member: MemberId): Promise<boolean> {
  const credential = await context.credentials.findByMember(member)
  return credential !== null && isRegistered(context, credential)
}

/** False when the registration has been confirmed meanwhile; that of a refused proof does not count. */
async function freeAddress(context: Ending, { emailKey, refused }: LapsedProof, member: MemberId): Promise<boolean> {
  // A credential comes before the confirmation, except where a backup has the log of a moment after its rows.
  const isLost = (await context.credentials.findByMember(member)) === null
  const leave = { type: refused || isLost ? 'ReleaseEmail' : 'CancelReservation', emailKey, member } as const
  const freed = await leaveAddress(context, leave, { commandId: randomUUID(), actor: context.actor })
  if (!freed.ok && freed.reason !== 'confirmed') throw unended(freed.reason)
  return freed.ok
}

function endedOrThrow(ended: { ok: true } | Refused<string>): void {
  if (!ended.ok) throw unended(ended.reason)
}

const unended = (reason: string) => new Error(`An unfinished registration could not be ended: ${reason}.`)
