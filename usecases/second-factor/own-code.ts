import { type Outcome, type Refused, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { type CodeRefusal, spendCode } from './spend-code.ts'

/** Uses up a code of the member who acts; quiet where they have no second factor. */
export async function spendOwnCode(acting: SignedIn, code: string | undefined): Promise<Refused<CodeRefusal> | null> {
  const { member } = acting.who
  if (!(await acting.secondFactor.isOn(member))) return null
  const emailKey = (await acting.credentials.findByMember(member))?.emailKey
  const spent: Outcome<null, CodeRefusal> = emailKey
    ? await spendCode(acting, { member, emailKey }, code)
    : refused('wrong-code')
  return spent.ok ? null : spent
}
