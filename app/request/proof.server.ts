import { redirect } from '@remix-run/node'
import { findProof, type VisitorProof } from '../../usecases/register/proof.ts'
import type { RequestContext } from './context.server.ts'
import { requireAnonymous } from './guards.server.ts'
import { proofTokenOf } from './session-cookie.server.ts'

/** The proof of the wizard's cookie, or null. */
export async function proofOf(context: RequestContext, request: Request): Promise<VisitorProof | null> {
  return findProof(context, await proofTokenOf(request))
}

/** For the wizard: without a verified address it starts at sign-up (api-contract §6.9). */
export async function requireProof(context: RequestContext, request: Request): Promise<VisitorProof> {
  await requireAnonymous(context, request)
  const proof = await proofOf(context, request)
  if (!proof) throw redirect('/signup')
  return proof
}
