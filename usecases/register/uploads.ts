import type { MediaId } from '../../domain/shared/ids.ts'
import { SIGNUP_PURPOSES } from '../../services/media/kinds.ts'
import type { Media } from '../../services/media/records.ts'
import type { SignupProof } from '../../services/signup-proofs.ts'
import type { Ports } from '../ports.ts'
import { memberOfProof, registrantOf, type VisitorProof } from './proof.ts'

/** An upload of a visitor, for the draft of their registration. */
export type DraftMedia = { id: MediaId; kind: 'image' | 'video' | 'audio' }

/** What a visitor has uploaded so far, oldest first. */
export async function uploadsOf({ media }: Pick<Ports, 'media'>, proof: VisitorProof): Promise<DraftMedia[]> {
  const uploads = await media.list(registrantOf(proof))
  return uploads.filter((one) => isUploadOf(proof, one)).map(({ id, kind }) => ({ id, kind }))
}

/** Whether a file is the visitor's own, of their sign-up: also when an interrupted registration has handed it over. */
export function isUploadOf(proof: Pick<SignupProof, 'id'>, { owner, purpose }: Media): boolean {
  const isTheirs = 'proof' in owner ? owner.proof === proof.id : owner.member === memberOfProof(proof)
  return isTheirs && SIGNUP_PURPOSES.includes(purpose)
}
