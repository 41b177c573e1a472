import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { Ports } from '../ports.ts'
import { type KeepingGalleries, keepGallery } from '../profile/keep-gallery.ts'
import { memberOfProof, type VisitorProof } from './proof.ts'

type Removing = KeepingGalleries & Pick<Ports, 'proofs'>

/** Removes one upload of the visitor; quiet when it is not theirs, or when a registration at work may be using it. */
export async function removeUpload(context: Removing, proof: VisitorProof, id: string): Promise<void> {
  if (await context.media.remove(id, { proof: proof.id })) return
  await removeHandedOver(context, proof, id)
}

/** One that an interrupted registration has handed over: under its lease, so that none is at work, and before a gallery has it. */
async function removeHandedOver(context: Removing, proof: VisitorProof, id: string): Promise<void> {
  const { media, proofs, loadState } = context
  const member = memberOfProof(proof)
  const found = await media.find(id)
  if (!found || !('member' in found.owner) || found.owner.member !== member) return
  const leased = await proofs.lease(proof.token)
  if (!leased.ok) return
  try {
    const { items } = await loadState(galleryDecider, member)
    if (items.length > 0 || !(await media.remove(id, { member }))) return
    // An attempt whose lease has passed may have filled it meanwhile.
    await keepGallery(context, member, member)
  } finally {
    await proofs.release(proof.token, leased.lease)
  }
}
