import type { Ports } from '../ports.ts'
import type { VisitorProof } from './proof.ts'

/** Removes one upload of the visitor; quiet when it is not theirs. */
export async function removeUpload({ media }: Pick<Ports, 'media'>, proof: VisitorProof, id: string): Promise<void> {
  const found = await media.find(id)
  if (found && 'proof' in found.owner && found.owner.proof === proof.id) await media.remove(found.id)
}
