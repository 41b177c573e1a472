import type { MemberId } from '../../domain/shared/ids.ts'
import type { GoogleIdentity } from '../../services/google.ts'
import { networkOf } from '../../services/limits/network.ts'
import { hashToken } from '../../services/secrets.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { memberOfProof } from '../register/proof.ts'
import { takeNetworkTry } from './network-try.ts'
import { type Browser, type LoggedIn, openSession } from './open-session.ts'

/** `nonce`: what the token must repeat, where this site asked for it; `networkTries`: what asking took of its network's. */
export type GoogleInput = Browser & { idToken: string; nonce?: string; networkTries?: number }
/** An account that is not there yet: whoever has the token may only finish the wizard (ruling R13). */
export type Onboarding = { signupToken: string; member: MemberId; email: string }
export type GoogleSignIn = { readonly member: LoggedIn } | { readonly onboarding: Onboarding }
/**
 * `password-account`: the address has an account, which is never taken over (api-contract C04). `google-away`: Google cannot
 * be asked, or refuses the site: it is nobody's wrong try.
 */
export type GoogleRefusal =
  | 'missing-token'
  | 'google-failed'
  | 'google-away'
  | 'password-account'
  | 'suspended'
  | 'second-factor'
  | 'slow-down'

/** `networkTries`: how many it took of its network's; `giveBack`: where Google could not be asked about it. */
export type GoogleTry = { readonly networkTries: number; readonly giveBack: () => Promise<void> }

/**
 * Counts a question to Google, which is whose a code is: nobody knows yet of which account. A device that any account knows has
 * tries of its own for it.
 */
export async function takeGoogleTry(
  ports: Ports,
  device: string | undefined,
): Promise<Outcome<GoogleTry, 'slow-down'>> {
  const known = device !== undefined && (await ports.loginGuard.knowsOfAny(device)) ? hashToken(device) : null
  const key = known?.toString('base64url') ?? networkOf(ports.ip)
  const wait = await slowDownFor(ports, 'LOGIN_IP', key)
  return wait ?? done({ networkTries: known ? 0 : 1, giveBack: () => ports.limits.giveBack('LOGIN_IP', key) })
}

/**
 * Signs in whom Google vouches for (api-contract C04 and C77). A newcomer gets the right to register with the address
 * that Google verified, as by a code of the mail; the account keeps who they are there, and has no password.
 */
export async function signInWithGoogle(
  ports: Ports,
  { idToken, nonce, networkTries = 0, ...browser }: GoogleInput,
): Promise<Outcome<GoogleSignIn, GoogleRefusal>> {
  if (!idToken) return refused('missing-token')
  const identity = await identityOf(ports, idToken, nonce)
  if (identity === undefined) return refused('google-away')
  const known = identity && (await ports.credentials.findByGoogle(identity.googleKey))
  const who = { emailKey: known?.emailKey, device: browser.device }
  const taken = networkTries > 0 ? done(networkTries) : await takeNetworkTry(ports, who)
  if (!taken.ok) return taken
  if (!identity) return refused('google-failed')
  if (!known) return onboard(ports, identity)
  const opened = await openSession(ports, { ...known, remember: false, networkTries: taken.value }, browser)
  if (opened.ok) return done({ member: opened.value })
  const { reason } = opened
  return reason === 'invalid-credentials' ? refused('google-failed') : { ...opened, reason }
}

/** Whom the token is about, or null; that Google's keys are away is reported, and undefined. */
async function identityOf(ports: Ports, idToken: string, nonce?: string): Promise<GoogleIdentity | null | undefined> {
  try {
    return (await ports.google?.verify(idToken, nonce)) ?? null
  } catch (error) {
    ports.reportError?.(error)
    return undefined
  }
}

async function onboard(
  ports: Ports,
  { email, googleKey }: GoogleIdentity,
): Promise<Outcome<GoogleSignIn, 'password-account' | 'google-failed'>> {
  const emailKey = ports.credentials.emailKey(email)
  if (await ports.credentials.findByKey(emailKey)) return refused('password-account')
  if (await ports.barred.isTurnedAway(emailKey)) return refused('google-failed')
  const { token, id } = await ports.proofs.issue({ email, emailKey, googleKey })
  // What its connection spent stays spent: each proof may upload, and one token is good for more than one.
  return done({ onboarding: { signupToken: token, member: memberOfProof({ id }), email } })
}
