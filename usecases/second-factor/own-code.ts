import { type Outcome, type Refused, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { type CodeRefusal, spendCode } from './spend-code.ts'

/** `used-code`: right, but spent; for who is signed in alone, because at the log-in it would help a guesser. */
export type OwnCodeRefusal = CodeRefusal | 'used-code'

/**
 * Uses up a code of the member who acts; quiet where they have no second factor. Counted by the device, as at the log-in: who
 * guesses there must not shut out the member on theirs.
 */
export async function spendOwnCode(
  acting: SignedIn,
  code: string | undefined,
): Promise<Refused<OwnCodeRefusal> | null> {
  const { member } = acting.who
  if (!(await acting.secondFactor.isOn(member))) return null
  const emailKey = (await acting.credentials.findByMember(member))?.emailKey
  const spent: Outcome<null, CodeRefusal> = emailKey
    ? await spendCode(acting, { member, emailKey, device: await acting.device?.() }, code)
    : refused('wrong-code')
  if (spent.ok) return null
  const typed = code?.replace(/\s/g, '') ?? ''
  const used = spent.reason === 'wrong-code' && (await acting.secondFactor.isUsed(member, typed))
  return used ? refused('used-code') : spent
}
