import { findAddress } from '../../projections/profiles/queries.ts'
import { uriOf } from '../../services/second-factor/totp.ts'
import { slowDown } from '../act.ts'
import { requireRecent } from '../identity/prove.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'

/** `uri`: the same for an app's camera, as a square code. */
export type NewSecondFactor = { readonly secret: string; readonly uri: string }
export type StartRefusal = 'login-again' | 'already-on' | 'slow-down'

/** A secret for the member's authenticator app; nothing changes until it is confirmed (ruling R37). */
export async function startSecondFactor(acting: SignedIn): Promise<Outcome<NewSecondFactor, StartRefusal>> {
  const old = requireRecent(acting)
  if (old) return old
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member } = acting.who
  const secret = await acting.secondFactor.begin(member)
  if (!secret) return refused('already-on')
  return done({ secret, uri: uriOf(secret, (await findAddress(acting.read, member)) ?? member) })
}
