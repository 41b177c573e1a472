import { type Answer, done, refused } from '../answer.ts'
import type { Ports } from '../ports.ts'
import { INVALID_EMAIL, parseEmail, SIX_DIGITS, typed } from './email-address.ts'

export const INVALID_CODE = 'Invalid or expired code.'
const WRONG_CODE = 'Incorrect code. Please check again.'
const NO_CODE = 'Please enter the 6-digit code.'

/** Turns the code of the mail into the right to register with that address (ruling R13, api-contract N1). */
export async function verifyCode(
  context: Ports,
  input: { email?: unknown; code?: unknown },
): Promise<Answer<{ signupToken: string }>> {
  const email = parseEmail(input.email)
  const code = typed(input.code).trim()
  if (!email) return refused(400, INVALID_EMAIL, { fields: { email: INVALID_EMAIL } })
  if (!SIX_DIGITS.test(code)) return refused(400, NO_CODE, { fields: { code: NO_CODE } })
  const emailKey = context.credentials.emailKey(email)
  const verdict = await context.codes.verify('signup', emailKey, code)
  if (verdict !== 'ok') {
    const error = verdict === 'wrong' ? WRONG_CODE : INVALID_CODE
    return refused(400, error, { fields: { code: error } })
  }
  const { token } = await context.proofs.issue({ email, emailKey })
  return done({ signupToken: token })
}
