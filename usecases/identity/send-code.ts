import { networkOf } from '../../services/limits/network.ts'
import { addressBarredMail, alreadyMemberMail, type MailText, signupCodeMail } from '../../services/mails.ts'
import { type Answer, done, inWords, type Refusal, refused, tooMany } from '../answer.ts'
import type { Ports } from '../ports.ts'
import { INVALID_EMAIL, parseEmail } from './email-address.ts'

const SENT = 'Verification code sent to your email.'
const FAILED = 'Failed to send code.'

/**
 * Mails a sign-up code (api-contract C76). For an address that has an account, or is turned away, everything is the
 * same but the mail, which holds no code (security T10).
 */
export async function sendCode(context: Ports, input: { email?: unknown }): Promise<Answer<{ message: string }>> {
  const email = parseEmail(input.email)
  if (!email) return refused(400, INVALID_EMAIL, { fields: { email: INVALID_EMAIL } })
  const emailKey = context.credentials.emailKey(email)
  const limited = await mailLimit(context, emailKey)
  if (limited) return limited
  const barred = await context.barred.isTurnedAway(emailKey)
  const closed = barred || (await context.credentials.findByKey(emailKey)) !== null
  const issued = await (closed ? context.codes.issueDecoy('signup', emailKey) : context.codes.issue('signup', emailKey))
  if (!issued.ok) return waitForCode(issued.retryInMs)
  const mail = issued.code === null ? mailWithoutCode(context, barred) : signupCodeMail(issued.code)
  try {
    await context.mailer.send({ to: email, ...mail })
  } catch {
    await takeBack(context, emailKey)
    return refused(502, FAILED)
  }
  return done({ message: SENT })
}

function mailWithoutCode({ config }: Ports, barred: boolean): MailText {
  if (barred) return addressBarredMail({ contactUrl: `${config.publicUrl}/contact` })
  return alreadyMemberMail({ loginUrl: `${config.publicUrl}/login` })
}

/** No mail went out: the visitor may ask again at once. */
async function takeBack(context: Ports, emailKey: string): Promise<void> {
  await context.codes.withdraw('signup', emailKey)
  await context.limits.giveBack('SEND', emailKey)
}

/** How often an address and a connection may have mail (api-contract §6.2, SEND). */
export async function mailLimit(context: Ports, emailKey: string): Promise<Refusal | null> {
  for (const [rate, key] of [
    ['SEND', emailKey],
    ['SEND_IP', networkOf(context.ip)],
  ] as const) {
    const taken = await context.limits.take(rate, key)
    if (!taken.ok) return waitForCode(taken.retryInMs)
  }
  return null
}

export function waitForCode(ms: number): Refusal {
  return tooMany(ms, `A code is on its way. You can ask for another one ${inWords(ms)}.`)
}
