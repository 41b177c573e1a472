import { memberDecider } from '../../domain/identity/member.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import type { Registrant } from '../../services/media/records.ts'
import type { SignupProof } from '../../services/signup-proofs.ts'
import type { Ports } from '../ports.ts'

/** The visitor's right to register, with the token that proves it. */
export type VisitorProof = SignupProof & { token: string }

/** The proof of a token, or null when it is unknown, too old or used. */
export async function findProof({ proofs }: Pick<Ports, 'proofs'>, token: string | null): Promise<VisitorProof | null> {
  const proof = token ? await proofs.find(token) : null
  return proof && token ? { ...proof, token } : null
}

/** The member that a proof leads to: the same however often the registration is taken up again. */
export function memberOfProof(proof: Pick<SignupProof, 'id'>): MemberId {
  return MemberId.parse(idFrom('member', proof.id))
}

/**
 * Why there is nothing to register with the proof of a token: it made an account that is still there, whose answer may have been
 * lost on its way, or it is of no use. Whoever has the token reads the mail of the address, and may learn which.
 */
export async function whyOver(
  { proofs, loadState }: Pick<Ports, 'proofs' | 'loadState'>,
  token: string | null,
): Promise<'registered' | 'invalid-code'> {
  const ended = token ? await proofs.findEnded(token) : null
  if (!ended) return 'invalid-code'
  const { status } = await loadState(memberDecider, memberOfProof(ended))
  return status === 'none' || status === 'gone' ? 'invalid-code' : 'registered'
}

/** Whose uploads are those of a proof: an interrupted registration has handed over what there was of them. */
export const registrantOf = ({ id }: Pick<SignupProof, 'id'>): Registrant => ({
  proof: id,
  member: memberOfProof({ id }),
})

/** What the pages of a sign-up name it by: the same for each proof of its address, and nothing can be read from it. */
export const signUpOf = ({ emailKey }: Pick<SignupProof, 'emailKey'>): string => uuidFrom('sign-up', emailKey)

/** Whom a visitor's connections count for: an address may have any number of proofs, and is one visitor. */
export const holderOf = ({ emailKey }: Pick<SignupProof, 'emailKey'>): string => emailKey
