import { type Answer, done, type Refusal, refused } from '../../usecases/answer.ts'
import type { Viewer } from '../../usecases/ports.ts'
import { findProof } from '../../usecases/register/proof.ts'
import { bearerTokenOf } from '../request/address-limit.server.ts'
import type { RequestContext } from '../request/context.server.ts'
import type { Caller, CallerOf } from './call.server.ts'
import { loginRequired } from './refusal.server.ts'

const barred = (status: 'deactivated' | 'suspended'): Refusal => refused(403, `Account ${status}`, { code: status })

/** Who calls, if they may (api-contract §6.0). */
export async function findCaller(
  caller: Caller,
  context: RequestContext,
  request: Request,
): Promise<Answer<CallerOf[Caller]>> {
  if (caller === 'anyone') return done(null)
  const viewer = await context.bearer()
  if (viewer) return standing(caller, viewer)
  const proof = caller === 'uploader' ? await findProof(context, bearerTokenOf(request)) : null
  return proof ? done({ proof: proof.id }) : loginRequired()
}

function standing(caller: Caller, viewer: Viewer): Answer<CallerOf[Caller]> {
  if (viewer.status === 'suspended') return barred('suspended')
  if (caller === 'account') return done(viewer)
  if (viewer.status === 'deactivated') return barred('deactivated')
  return done(caller === 'uploader' ? { member: viewer.member } : viewer.member)
}
