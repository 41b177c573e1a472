import { TERMS_VERSION } from '../../domain/identity/terms.ts'
import { refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { openDraft, payloadOf } from './draft.ts'
import { enroll, type RegisterOutcome } from './enroll.ts'
import type { VisitorProof } from './proof.ts'
import { uploadsOf } from './uploads.ts'

/** The wizard's last step: the answers and the hash of the password are those of the draft. */
export async function registerFromDraft(
  ports: Ports,
  proof: VisitorProof,
  { label }: { label: string },
): Promise<RegisterOutcome> {
  const draft = openDraft(proof.draft)
  if (!draft.passwordHash && !proof.googleKey) return refused('incomplete')
  const payload = { ...payloadOf(draft, await uploadsOf(ports, proof)), acceptedTermsVersion: TERMS_VERSION }
  return enroll(ports, proof, { payload, password: { hash: draft.passwordHash }, label, demo: false })
}
