import { randomUUID } from 'node:crypto'
import { emailDecider } from '../../domain/identity/email.ts'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'

type Confirming = Pick<Ports, 'dispatch' | 'loadState' | 'keptBlocks' | 'now'>
type Holder = { readonly member: MemberId; readonly emailKey: string }

/** The last fact of a registration: from here on the account is one. False when another member has the address. */
export async function confirmAddress(
  context: Confirming,
  { member, emailKey }: Holder,
  commandId: string,
): Promise<boolean> {
  const confirm = { type: 'ConfirmEmail', emailKey, member, at: context.now() } as const
  const confirmed = await context.dispatch(emailDecider, confirm, { commandId, actor: member })
  if (!confirmed.ok && confirmed.reason !== 'reused') return false
  await context.keptBlocks.forget(emailKey)
  return true
}

/**
 * Whether the registration of a member with a credential came to its end. One that stopped just before it is confirmed
 * here; before the gallery is filled, only whoever has the proof can continue.
 */
export async function isRegistered(context: Confirming, holder: Holder): Promise<boolean> {
  const { confirmed, holder: known } = await context.loadState(emailDecider, holder.emailKey)
  if (confirmed) return known === holder.member
  const { items } = await context.loadState(galleryDecider, holder.member)
  return items.length > 0 && confirmAddress(context, holder, randomUUID())
}
