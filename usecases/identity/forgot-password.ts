import { resetCodeMail } from '../../services/mails.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { parseEmail } from './email-address.ts'
import { type MailRefusal, mailLimit } from './mail-limit.ts'

export type ForgotPasswordRefusal = 'invalid-email' | MailRefusal | 'mail-down'

/**
 * Mails a code and a link for a new password (api-contract C02). Known or not, an address gets the same answer in the
 * same time: the mail goes out after it. Nobody learns whether it arrives; anyone learns that no mail goes out at all.
 */
export async function forgotPassword(
  ports: Ports,
  input: { email: string },
): Promise<Outcome<null, ForgotPasswordRefusal>> {
  const email = parseEmail(input.email)
  if (!email) return refused('invalid-email')
  if (!(await ports.mailer.isUp())) return refused('mail-down')
  const emailKey = ports.credentials.emailKey(email)
  const limited = await mailLimit(ports, 'reset', emailKey)
  if (limited) return limited
  const known = (await ports.credentials.findByKey(emailKey)) !== null
  const issued = await (known ? ports.codes.issue('reset', emailKey) : ports.codes.issueDecoy('reset', emailKey))
  if (!issued.ok) return refused('code-issued', { retryInMs: issued.retryInMs })
  if (issued.code !== null) {
    const link = `${ports.config.publicUrl}/forgot-password?link=${issued.linkToken}`
    const mail = { to: email, ...resetCodeMail({ code: issued.code, link }) }
    void ports.mailer.send(mail).catch((error: unknown) => ports.reportError?.(error))
  }
  return done(null)
}
