import { AnswerLost, withTimeout } from '../../eventstore/retry.ts'
import { networkOf } from '../../services/limits/network.ts'
import { isOfAddress, isRefusal } from '../../services/mailer.ts'
import { addressBarredMail, alreadyMemberMail, type MailText, signupCodeMail } from '../../services/mails.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import { parseEmail } from './email-address.ts'
import { type MailRefusal, mailLimit, sendKey } from './mail-limit.ts'

/** A mail server that is silent keeps nobody waiting for longer, nor the place of their request. */
const SENT_WITHIN_MS = 10_000

export type SendCodeRefusal = 'invalid-email' | MailRefusal | 'mail-failed'

/**
 * Mails a sign-up code (api-contract C76). For an address that has an account, or is turned away, everything is the
 * same but the mail, which holds no code (security T10).
 */
export async function sendCode(ports: Ports, input: { email: string }): Promise<Outcome<null, SendCodeRefusal>> {
  const email = parseEmail(input.email)
  if (!email) return refused('invalid-email')
  if (!(await ports.mailer.isUp())) return refused('mail-failed')
  const emailKey = ports.credentials.emailKey(email)
  const limited = await mailLimit(ports, 'signup', emailKey)
  if (limited) return limited
  const barred = await ports.barred.isTurnedAway(emailKey)
  const closed = barred || (await ports.credentials.findByKey(emailKey)) !== null
  const issued = await (closed ? ports.codes.issueDecoy('signup', emailKey) : ports.codes.issue('signup', emailKey))
  if (!issued.ok) return refused('code-issued', { retryInMs: issued.retryInMs })
  const mail = issued.code === null ? mailWithoutCode(ports, barred) : signupCodeMail(issued.code)
  const sent = ports.mailer.send({ to: email, ...mail })
  try {
    await withTimeout(sent, SENT_WITHIN_MS)
  } catch (error) {
    ports.reportError?.(error)
    if (error instanceof AnswerLost) {
      // A slow server has it, and may send it all the same, or refuse it yet.
      sent.catch((late) => refusedLate(ports, emailKey, late)).catch((lost) => ports.reportError?.(lost))
      return done(null)
    }
    if (isRefusal(error)) await ports.codes.withdraw('signup', emailKey)
    await uncount(ports, emailKey, error)
    return refused('mail-failed')
  }
  return done(null)
}

/** The code stays: the visitor may have asked for another by now. */
async function refusedLate(ports: Ports, emailKey: string, error: unknown): Promise<void> {
  ports.reportError?.(error)
  await uncount(ports, emailKey, error)
}

function mailWithoutCode({ config }: Ports, barred: boolean): MailText {
  if (barred) return addressBarredMail({ contactUrl: `${config.publicUrl}/contact` })
  return alreadyMemberMail({ loginUrl: `${config.publicUrl}/login` })
}

/** Where no mail went out the visitor may ask again, as often as their connection may ask for addresses that take none. */
async function uncount(ports: Ports, emailKey: string, error: unknown): Promise<void> {
  if (!isRefusal(error)) return
  await ports.limits.giveBack('SEND', sendKey('signup', emailKey))
  if (!isOfAddress(error)) await ports.limits.giveBack('SEND_IP', networkOf(ports.ip))
}
