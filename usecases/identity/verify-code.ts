import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { parseEmail, SIX_DIGITS } from './email-address.ts'

/** `wrong-code`: another try may fit; `invalid-code`: none will. */
export type VerifyCodeRefusal = 'invalid-email' | 'malformed-code' | 'wrong-code' | 'invalid-code'

/** Turns the code of the mail into the right to register with that address (ruling R13, api-contract N1). */
export async function verifyCode(
  ports: Ports,
  input: { email: string; code: string },
): Promise<Outcome<{ signupToken: string }, VerifyCodeRefusal>> {
  const email = parseEmail(input.email)
  const code = input.code.trim()
  if (!email) return refused('invalid-email')
  if (!SIX_DIGITS.test(code)) return refused('malformed-code')
  const emailKey = ports.credentials.emailKey(email)
  const verdict = await ports.codes.verify('signup', emailKey, code)
  if (verdict !== 'ok') return refused(verdict === 'wrong' ? 'wrong-code' : 'invalid-code')
  const { token } = await ports.proofs.issue({ email, emailKey })
  return done({ signupToken: token })
}
