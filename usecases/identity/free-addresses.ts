import { randomUUID } from 'node:crypto'
import { emailDecider } from '../../domain/identity/email.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { type AddressId, MemberId } from '../../domain/shared/ids.ts'
import { endId } from './address-id.ts'
import type { Erasing } from './finish-erasure.ts'

/**
 * Ends the ids of addresses that nobody can sign in or sign up with: such as those of members whom the release before
 * erased, which knows of no ids. Answers how many; throws the first failure once all were tried.
 */
export async function freeAddresses(context: Erasing): Promise<number> {
  let count = 0
  const failures: unknown[] = []
  // One that cannot be read, or released, keeps no other.
  for (const address of await context.addresses.listWithoutCredential()) {
    try {
      if (await freeAddress(context, address)) count++
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return count
}

/** False where somebody has it, or nothing was left to end. */
async function freeAddress(context: Erasing, address: AddressId): Promise<boolean> {
  const { holder } = await context.loadState(emailDecider, address)
  if (!(await isOver(context, address, holder))) return false
  // An id that nobody has used is released in the name of nobody.
  const member = holder ?? MemberId.parse(context.newId())
  const source = { commandId: randomUUID(), actor: context.actor }
  const ended = await endId(context, { type: 'ReleaseEmail', address, member }, source)
  if (!ended.ok) throw new Error(`An address could not be released: ${ended.reason}.`)
  return ended.over !== null
}

async function isOver(context: Erasing, address: AddressId, holder: MemberId | null): Promise<boolean> {
  const status = holder ? (await context.loadState(memberDecider, holder)).status : 'none'
  // For good: whoever signs up with the address at that moment is refused this id, and gets the next.
  if (status === 'gone') return true
  // After the look at the holder, who registers under a proof from before the reservation until it is through.
  return status === 'none' && !(await context.addresses.isInUse(address))
}
