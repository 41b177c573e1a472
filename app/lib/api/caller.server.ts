import type { RequestContext, Viewer } from '../request/context.server.ts'
import { findProof } from '../request/proof.server.ts'
import { type Answer, done, type Refusal, refused, tooMany } from '../words/answer.ts'
import type { Caller, CallerOf } from './call.server.ts'
import { loginRequired } from './refusal.server.ts'

/** The token of `Authorization: Bearer`, or null; cookies are never looked at (api-contract §6.0). */
export function bearerTokenOf(request: Request): string | null {
  return /^Bearer ([\w-]{1,512})$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? null
}

const barred = (status: 'deactivated' | 'suspended'): Refusal => refused(403, `Account ${status}`, { code: status })

/** Who calls, if they may (api-contract §6.0). Failed tries count as those of a visitor. */
export async function findCaller(
  caller: Caller,
  context: RequestContext,
  request: Request,
  network: string,
): Promise<Answer<CallerOf[Caller]>> {
  if (caller === 'anyone') return done(null)
  const viewer = await context.bearer()
  if (viewer) return standing(caller, viewer)
  const proof = caller === 'uploader' ? await findProof(context, bearerTokenOf(request)) : null
  if (proof) return done({ proof: proof.id })
  const taken = await context.limits.take('ANONYMOUS', network)
  return taken.ok ? loginRequired() : tooMany(taken.retryInMs)
}

function standing(caller: Caller, viewer: Viewer): Answer<CallerOf[Caller]> {
  if (viewer.status === 'suspended') return barred('suspended')
  if (caller === 'account') return done(viewer)
  if (viewer.status === 'deactivated') return barred('deactivated')
  return done(caller === 'uploader' ? { member: viewer.member } : viewer.member)
}
