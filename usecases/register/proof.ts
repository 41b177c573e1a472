import { MemberId } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
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

/** Whose uploads are those of a proof: an interrupted registration has handed over what there was of them. */
export const registrantOf = ({ id }: Pick<SignupProof, 'id'>): Registrant => ({
  proof: id,
  member: memberOfProof({ id }),
})

/** Whom a visitor's connections count for: an address may have any number of proofs, and is one visitor. */
export const holderOf = ({ emailKey }: Pick<SignupProof, 'emailKey'>): string => emailKey
