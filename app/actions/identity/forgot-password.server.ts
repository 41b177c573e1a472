import type { AppLoadContext } from '@remix-run/node'
import { resetCodeMail } from '../../../services/mails.ts'
import type { RequestContext } from '../../lib/request/context.server.ts'
import { type Answer, done, refused } from '../../lib/words/answer.ts'
import { INVALID_EMAIL, parseEmail } from './email-address.server.ts'
import { mailLimit, waitForCode } from './send-code.server.ts'

const SENT = 'Verification code sent to your email. Check Inbox or Spam'

/**
 * Mails a code and a link for a new password (api-contract C02). Known or not, an address gets the same answer in the
 * same time: the mail goes out after it.
 */
export async function forgotPassword(
  context: RequestContext & Partial<Pick<AppLoadContext, 'reportError'>>,
  input: { email?: unknown },
): Promise<Answer<{ message: string }>> {
  const email = parseEmail(input.email)
  if (!email) return refused(400, INVALID_EMAIL, { fields: { email: INVALID_EMAIL } })
  const emailKey = context.credentials.emailKey(email)
  const limited = await mailLimit(context, emailKey)
  if (limited) return limited
  const known = (await context.credentials.findByKey(emailKey)) !== null
  const issued = await context.codes.issue('reset', emailKey)
  if (!issued.ok) return waitForCode(issued.retryInMs)
  if (known) {
    const link = `${context.config.publicUrl}/forgot-password?link=${issued.linkToken}`
    const mail = { to: email, ...resetCodeMail({ code: issued.code, link }) }
    void context.mailer.send(mail).catch((error: unknown) => context.reportError?.(error))
  }
  return done({ message: SENT })
}
