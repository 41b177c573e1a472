import { minutes } from '../../domain/shared/dates.ts'
import { PASSWORD_MAX } from '../../domain/shared/password.ts'
import { networkOf } from '../../services/limits/network.ts'
import { done, type Outcome, type Refused, refused } from '../outcome.ts'
import type { SignedIn, Viewer } from '../ports.ts'
import { type OwnCodeRefusal, spendOwnCode } from '../second-factor/own-code.ts'

/** Who proved who they are within this may do what a stolen session may not (security T37). */
export const RECENT_MS = minutes(15)

export const isRecent = ({ authAt }: Pick<Viewer, 'authAt'>, now: Date): boolean =>
  now.getTime() - authAt.getTime() <= RECENT_MS

/** For what wants a sign-in of just now, and takes nothing in its place. */
export const requireRecent = ({ who, now }: SignedIn): Refused<'login-again'> | null =>
  isRecent(who, now()) ? null : refused('login-again')

/** `code`: where the member has a second factor. */
export type Proof = { readonly password?: string | undefined; readonly code?: string | undefined }
export type ProveRefusal = 'password-required' | 'wrong-password' | 'too-many-tries' | OwnCodeRefusal

/**
 * Compares a password with the member's own, and then the code of their second factor; the right ones are as good as signing
 * in again. Each one that is looked at counts.
 */
export async function prove(acting: SignedIn, { password, code }: Proof): Promise<Outcome<null, ProveRefusal>> {
  if (!password) return refused('password-required')
  const { who, limits, credentials, passwords, sessions } = acting
  const taken = await limits.take('CRIT', who.member)
  if (!taken.ok) return refused('too-many-tries', { retryInMs: taken.retryInMs })
  const hash = (await credentials.findByMember(who.member))?.passwordHash
  const fits = [...password].length <= PASSWORD_MAX
  if (!hash || !fits || !(await passwords.verify(hash, password, networkOf(acting.ip))))
    return refused('wrong-password')
  const wrong = await spendOwnCode(acting, code)
  if (wrong) return wrong
  await sessions.reauthenticate(who.session)
  return done(null)
}

/**
 * The one rule for what a stolen session may not do (security T37): the right password, with the code of a second factor, or
 * none from who proved who they are just before. A wrong one is refused from anybody.
 */
export async function proveUnlessRecent(
  acting: SignedIn,
  proof: Proof,
): Promise<Outcome<'recent' | 'password', ProveRefusal>> {
  if (proof.password === undefined && isRecent(acting.who, acting.now())) return done('recent')
  const proven = await prove(acting, proof)
  return proven.ok ? done('password') : proven
}
