import { redirect } from '@remix-run/node'
import { findProof, type VisitorProof, whyOver } from '../../usecases/register/proof.ts'
import type { RequestContext } from './context.server.ts'
import { requireAnonymous } from './guards.server.ts'
import { loginPath } from './return-to.ts'
import { proofTokenOf } from './session-cookie.server.ts'

/** The proof of the wizard's cookie, or null. */
export async function proofOf(context: RequestContext, request: Request): Promise<VisitorProof | null> {
  return findProof(context, await proofTokenOf(request))
}

/**
 * For the wizard: without a verified address it starts at sign-up (api-contract §6.9). Whose account is made already, and the
 * answer lost, is led to the login.
 */
export async function requireProof(context: RequestContext, request: Request): Promise<VisitorProof> {
  await requireAnonymous(context, request)
  const proof = await proofOf(context, request)
  if (proof) return proof
  await refuseRegistered(context, request)
  throw redirect('/signup')
}

/** Leads to the login whose proof has made an account. */
export async function refuseRegistered(context: RequestContext, request: Request): Promise<void> {
  if ((await whyOver(context, await proofTokenOf(request))) === 'registered') throw accountReady()
}

/** To the login, and from there to where a new member is welcomed. */
export const accountReady = (): Response => redirect(loginPath('/discover?welcome', { ready: '' }))
