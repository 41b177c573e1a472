import { randomUUID } from 'node:crypto'
import { emailDecider } from '../../domain/identity/email.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { LapsedProof } from '../../services/signup-proofs.ts'
import { eraseAccount } from '../identity/erase-account.ts'
import type { Erasing } from '../identity/finish-erasure.ts'
import type { Ports } from '../ports.ts'
import { isRegistered } from './confirm-address.ts'
import { memberOfProof } from './proof.ts'

type Ending = Erasing & Pick<Ports, 'proofs'>

/**
 * Erases what an interrupted registration left, once its proof is too old for anybody to continue, and lets go of the
 * address. One that lacks nothing but its end becomes an account. Answers how many proofs ended; one that fails stops no
 * other, and is tried again the next time.
 */
export async function endUnfinished(context: Ending): Promise<number> {
  const lapsed = await context.proofs.listLapsed()
  const failures: unknown[] = []
  for (const proof of lapsed) await endOne(context, proof).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  return lapsed.length
}

async function endOne(context: Ending, { id, emailKey }: LapsedProof): Promise<void> {
  const member = memberOfProof({ id })
  const { status } = await context.loadState(memberDecider, member)
  const credential = await context.credentials.findByMember(member)
  if (!credential || !(await isRegistered(context, credential))) {
    if (status !== 'none') await erase(context, member)
    const command = { type: 'ReleaseEmail', emailKey, member, at: context.now() } as const
    const released = await context.dispatch(emailDecider, command, { commandId: randomUUID(), actor: context.actor })
    if (!released.ok) throw unended(released.reason)
  }
  await context.proofs.endLapsed(id)
}

async function erase(context: Ending, member: MemberId): Promise<void> {
  const erased = await eraseAccount(context, member)
  if (!erased.ok) throw unended(erased.reason)
}

const unended = (reason: string) => new Error(`An unfinished registration could not be ended: ${reason}.`)
