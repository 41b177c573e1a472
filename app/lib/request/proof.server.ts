import { redirect } from '@remix-run/node'
import { MemberId } from '../../../domain/shared/ids.ts'
import { idFrom } from '../../../eventstore/ids.ts'
import type { SignupProof } from '../../../services/signup-proofs.ts'
import type { RequestContext } from './context.server.ts'
import { requireAnonymous } from './guards.server.ts'
import { proofTokenOf } from './session-cookie.server.ts'

/** The visitor's right to register, with the token that stands for it. */
export type HeldProof = SignupProof & { token: string }

/** The proof of a token, or null when it is unknown, too old or used. */
export async function findProof(context: RequestContext, token: string | null): Promise<HeldProof | null> {
  const proof = token ? await context.proofs.find(token) : null
  return proof && token ? { ...proof, token } : null
}

export function proofOf(context: RequestContext, request: Request): Promise<HeldProof | null> {
  return findProof(context, proofTokenOf(request))
}

/** For the wizard: without a verified address it starts at sign-up (api-contract §6.9). */
export async function requireProof(context: RequestContext, request: Request): Promise<HeldProof> {
  await requireAnonymous(context)
  const proof = await proofOf(context, request)
  if (!proof) throw redirect('/signup')
  return proof
}

/** The member that a proof leads to: the same however often the registration is taken up again. */
export function memberOf(proof: Pick<SignupProof, 'id'>): MemberId {
  return MemberId.parse(idFrom('member', proof.id))
}
