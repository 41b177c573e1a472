import { done, type Outcome, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import type { RecoveryCodes } from './confirm.ts'
import { type ChangeRefusal, mayChange } from './may-change.ts'
import { noteChange } from './note-change.ts'

/** New recovery codes in place of all that were left. */
export async function renewRecoveryCodes(
  acting: SignedIn,
  { code }: { code: string },
): Promise<Outcome<RecoveryCodes, ChangeRefusal>> {
  const refusal = await mayChange(acting, code)
  if (refusal) return refusal
  const { member } = acting.who
  const recoveryCodes = await acting.secondFactor.renewCodes(member)
  if (!recoveryCodes) return refused('not-on')
  await noteChange(acting, member, 'codes-renewed')
  return done({ recoveryCodes })
}
