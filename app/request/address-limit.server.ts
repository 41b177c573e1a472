import { networkOf } from '../../services/limits/network.ts'
import { findProof } from '../../usecases/register/proof.ts'
import type { RequestContext } from './context.server.ts'
import { proofTokenOf, sessionTokenOf } from './session-cookie.server.ts'

/** What a request shows of itself: a session, or a verified address that has no account yet. */
type Shown = { session: string | null; proof: string | null; isKnown: () => Promise<boolean> }

/**
 * Takes one from the limit of the caller's address, for pages and calls alike: that of visitors, unless the request
 * brings a live session or proof (api-contract §6.2, IP). Answers how long to wait, or null. The read models catch up in
 * between: after what costs nothing, and before they are asked whose session it is.
 */
export async function overAddressLimit(context: RequestContext, request: Request): Promise<number | null> {
  const network = networkOf(context.ip)
  const { session, proof, isKnown } = await shownBy(context, request)
  const wait = async (rate: 'IP' | 'ANONYMOUS') => {
    const taken = await context.limits.take(rate, network)
    return taken.ok ? null : taken.retryInMs
  }
  const bringsToken = session !== null || proof !== null
  // First of all, so that made-up positions and sessions cost no more than this.
  const early = await wait(bringsToken ? 'IP' : 'ANONYMOUS')
  if (early !== null) return early
  await context.catchUp()
  return !bringsToken || (await isKnown()) ? null : wait('ANONYMOUS')
}

/**
 * The token of `Authorization: Bearer`, or null; cookies are never looked at (api-contract §6.0). The name of a scheme is
 * written in any case.
 */
export function bearerTokenOf(request: Request): string | null {
  return /^Bearer +([\w-]{1,512})$/i.exec(request.headers.get('Authorization') ?? '')?.[1] ?? null
}

async function shownBy(context: RequestContext, request: Request): Promise<Shown> {
  const isCall = /^\/api(\/|$)/i.test(new URL(request.url).pathname)
  const session = isCall ? bearerTokenOf(request) : await sessionTokenOf(request)
  const proof = isCall ? session : await proofTokenOf(request)
  const viewer = () => (isCall ? context.bearer() : context.viewer())
  return {
    session,
    proof,
    isKnown: async () => (session !== null && (await viewer()) !== null) || (await findProof(context, proof)) !== null,
  }
}
