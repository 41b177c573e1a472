import { emailDecider } from '../../domain/identity/email.ts'
import { AddressId, type MemberId } from '../../domain/shared/ids.ts'
import type { CommandContext } from '../../eventstore/dispatch.ts'
import type { ProofLease } from '../../services/proof-leases.ts'
import type { Refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'

type Looking = Pick<Ports, 'addresses' | 'loadState'>

/** The id of an address, or null: then nobody has it. */
export async function findAddress(context: Looking, emailKey: string): Promise<AddressId | null> {
  return (await context.addresses.find(emailKey)) ?? adopted(context, emailKey)
}

/** The same, and an id of its own for an address without one; null when the registration has lost its lease. */
export async function addressFor(
  context: Looking & Pick<Ports, 'newId'>,
  emailKey: string,
  under: ProofLease,
): Promise<AddressId | null> {
  const known = await findAddress(context, emailKey)
  return known ?? context.addresses.give({ emailKey, id: AddressId.parse(context.newId()), under })
}

/** Whoever had the address before there were ids has it on the stream of its keyed hash, which stays theirs. */
async function adopted({ addresses, loadState }: Looking, emailKey: string): Promise<AddressId | null> {
  const id = emailKey as AddressId
  const { holder } = await loadState(emailDecider, id)
  return holder === null ? null : addresses.give({ emailKey, id })
}

type Leaving = Looking & Pick<Ports, 'dispatch' | 'now'>
/** `CancelReservation` is refused once the address is confirmed. */
type Leave = {
  readonly type: 'ReleaseEmail' | 'CancelReservation'
  readonly emailKey: string
  readonly member: MemberId
}
/** `over`: the id that came to its end; null where the address has none, or is somebody else's. */
type Left = { readonly ok: true; readonly over: AddressId | null }

/**
 * Ends what a member has of an address: first the log releases its id, for good, then the row goes that leads to it. So an
 * address gets its next id when nobody can have it under this one any more. Repeats are quiet; one that was interrupted is
 * finished by the same call, or by whoever wants the address next.
 */
export async function leaveAddress(
  context: Leaving,
  { type, emailKey, member }: Leave,
  source: CommandContext,
): Promise<Left | Refused<'confirmed' | 'conflict' | 'reused'>> {
  const address = await findAddress(context, emailKey)
  return address ? endId(context, { type, address, member }, source) : { ok: true, over: null }
}

/** The same of an id. One that nobody has used ends for any member. */
export async function endId(
  context: Leaving,
  { type, address, member }: Omit<Leave, 'emailKey'> & { readonly address: AddressId },
  source: CommandContext,
): Promise<Left | Refused<'confirmed' | 'conflict' | 'reused'>> {
  const released = await context.dispatch(emailDecider, { type, address, member, at: context.now() }, source)
  if (!released.ok) return { ok: false, reason: released.reason as 'confirmed' | 'conflict' | 'reused' }
  if (!(await context.loadState(emailDecider, address)).released) return { ok: true, over: null }
  await context.addresses.remove(address)
  return { ok: true, over: address }
}
