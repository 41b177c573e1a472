import type { Limits } from '../../services/limits/limits.ts'
import { fromElsewhere, networkOf } from '../../services/limits/network.ts'
import type { RateClass } from '../../services/limits/rates.ts'
import { findProof } from '../../usecases/register/proof.ts'
import type { RequestContext } from './context.server.ts'
import { proofTokenOf, sessionTokenOf } from './session-cookie.server.ts'
import { fetchedBy, isUsedElsewhere } from './used-elsewhere.ts'

/**
 * What a request shows of itself: a session, or a verified address that has no account yet. `isAlive` is a look at the
 * token's own row; `isKnown` asks the read models, too.
 */
type Shown = {
  session: string | null
  proof: string | null
  isAlive: () => Promise<boolean>
  isKnown: () => Promise<boolean>
}

/**
 * Takes one from the limit of the caller's address, for pages and calls alike: that of visitors, unless the request
 * brings a live session or proof (api-contract §6.2, IP). Answers how long to wait, or null. The read models catch up in
 * between: after what costs little, and before they are asked whose session it is. What a page of another site has in itself
 * has as much of its own, so that it takes nothing of the visitors' (decision 0019).
 */
export async function overAddressLimit(context: RequestContext, request: Request): Promise<number | null> {
  const network = networkOf(context.ip)
  const { session, proof, isAlive, isKnown } = await shownBy(context, request)
  const visitors = isUsedElsewhere(fetchedBy(request)) ? fromElsewhere(network) : network
  const wait = async (rate: 'IP' | 'ANONYMOUS') => {
    const taken = await context.limits.take(rate, rate === 'IP' ? network : visitors)
    return taken.ok ? null : taken.retryInMs
  }
  const bringsToken = session !== null || proof !== null
  if (bringsToken) {
    const dead = await waitOfDead(context.limits, { rate: 'IP', network, visitors, isAlive })
    if (dead !== null) return dead
  }
  // First of all, so that made-up positions and sessions cost no more than this.
  const early = await wait(bringsToken ? 'IP' : 'ANONYMOUS')
  if (early !== null) return early
  await context.catchUp()
  return !bringsToken || (await isKnown()) ? null : wait('ANONYMOUS')
}

/** `visitors`: under which those of the network are counted; by default its own name. */
type Token = { rate: RateClass; network: string; visitors?: string; isAlive: () => Promise<boolean> }

/**
 * Once the visitors of a network have had theirs, a token that is dead waits with them and takes nothing of `rate`, the
 * limit of those who have a live one: made-up tokens would use it up for the members beside them (decision 0019). Looks at
 * no token before that, nor where `rate` has nothing left. Answers how long to wait, or null.
 */
export async function waitOfDead(
  { peek }: Pick<Limits, 'peek'>,
  { rate, network, visitors = network, isAlive }: Token,
) {
  const left = await peek('ANONYMOUS', visitors)
  if (left.ok || !(await peek(rate, network)).ok || (await isAlive())) return null
  return left.retryInMs
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
    isAlive: async () =>
      (session !== null && (await context.sessions.find(session)) !== null) ||
      (await findProof(context, proof)) !== null,
    isKnown: async () => (session !== null && (await viewer()) !== null) || (await findProof(context, proof)) !== null,
  }
}
