import { resetCodeMail } from '../../services/mails.ts'
import { type Answer, done, refused } from '../answer.ts'
import type { Ports } from '../ports.ts'
import { INVALID_EMAIL, parseEmail } from './email-address.ts'
import { mailLimit, waitForCode } from './send-code.ts'

const SENT = 'Verification code sent to your email. Check Inbox or Spam'
const FAILED = 'Failed to send reset email'

/**
 * Mails a code and a link for a new password (api-contract C02). Known or not, an address gets the same answer in the
 * same time: the mail goes out after it. Whether it arrives is not told; that no mail goes out at all is, to anyone.
 */
export async function forgotPassword(context: Ports, input: { email?: unknown }): Promise<Answer<{ message: string }>> {
  const email = parseEmail(input.email)
  if (!email) return refused(400, INVALID_EMAIL, { fields: { email: INVALID_EMAIL } })
  if (!(await context.mailer.isUp())) return refused(503, FAILED)
  const emailKey = context.credentials.emailKey(email)
  const limited = await mailLimit(context, emailKey)
  if (limited) return limited
  const known = (await context.credentials.findByKey(emailKey)) !== null
  const issued = await (known ? context.codes.issue('reset', emailKey) : context.codes.issueDecoy('reset', emailKey))
  if (!issued.ok) return waitForCode(issued.retryInMs)
  if (issued.code !== null) {
    const link = `${context.config.publicUrl}/forgot-password?link=${issued.linkToken}`
    const mail = { to: email, ...resetCodeMail({ code: issued.code, link }) }
    void context.mailer.send(mail).catch((error: unknown) => context.reportError?.(error))
  }
  return done({ message: SENT })
}
