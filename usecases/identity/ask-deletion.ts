import { done, type Outcome, type Refused, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { type Proof, type ProveRefusal, prove, requireRecent } from './prove.ts'

export type AskDeletionRefusal = ProveRefusal | 'login-again'

/** Whether the account is one of Google's sign-in alone. */
export async function isPasswordless({ credentials, who }: Pick<SignedIn, 'credentials' | 'who'>): Promise<boolean> {
  return (await credentials.findByMember(who.member))?.passwordHash === null
}

/**
 * What the page wants before its last question: the password, also of who signed in just now (ruling R26); of an account
 * that has none a sign-in of just now.
 */
export async function proveForDeletion(acting: SignedIn, proof: Proof): Promise<Outcome<null, AskDeletionRefusal>> {
  if (!(await isPasswordless(acting))) return prove(acting, proof)
  return requireRecent(acting) ?? done(null)
}

/** An account without a password is never asked for one. */
export async function withoutPasswords<R extends string>(
  acting: SignedIn,
  refusal: Refused<R>,
): Promise<Refused<R> | Refused<'login-again'>> {
  return refusal.reason === 'password-required' && (await isPasswordless(acting)) ? refused('login-again') : refusal
}
