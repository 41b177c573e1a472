import { randomUUID } from 'node:crypto'
import { emailDecider } from '../../domain/identity/email.ts'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { findAddress } from '../identity/address-id.ts'
import type { Ports } from '../ports.ts'
import { type KeepingGalleries, keepGallery } from '../profile/keep-gallery.ts'

type Confirming = KeepingGalleries & Pick<Ports, 'keptBlocks' | 'addresses'>
type Holder = { readonly member: MemberId; readonly emailKey: string }

/** `taken`: another member has the address, or the registration has lost it. `invalid-media`: no picture of the gallery is there. */
export type Confirmed = 'done' | 'taken' | 'invalid-media'

/**
 * The last fact of a registration: from here on the account is one. Before it the files of the gallery are kept, whichever
 * attempt has filled it.
 */
export async function confirmAddress(
  context: Confirming,
  { member, emailKey }: Holder,
  commandId: string,
): Promise<Confirmed> {
  if (!(await keepGallery(context, member, member))) return 'invalid-media'
  const address = await findAddress(context, emailKey)
  if (!address) return 'taken'
  const confirm = { type: 'ConfirmEmail', address, member, at: context.now() } as const
  const confirmed = await context.dispatch(emailDecider, confirm, { commandId, actor: member })
  if (!confirmed.ok && confirmed.reason !== 'reused') return 'taken'
  await context.keptBlocks.forget(emailKey)
  return 'done'
}

/**
 * Whether the registration of a member with a credential came to its end. One that stopped just before it is confirmed
 * here; before the gallery is filled, only whoever has the proof can continue.
 */
export async function isRegistered(context: Confirming, holder: Holder): Promise<boolean> {
  const address = await findAddress(context, holder.emailKey)
  if (!address) return false
  const { confirmed, holder: known } = await context.loadState(emailDecider, address)
  if (confirmed) return known === holder.member
  const { items } = await context.loadState(galleryDecider, holder.member)
  return items.length > 0 && (await confirmAddress(context, holder, randomUUID())) === 'done'
}
