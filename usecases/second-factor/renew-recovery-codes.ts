import { done, type Outcome, refused } from '../outcome.ts'
import { changeOwing } from '../owed.ts'
import type { SignedIn } from '../ports.ts'
import type { RecoveryCodes } from './confirm.ts'
import { type ChangeRefusal, mayChange } from './may-change.ts'

/** New recovery codes in place of all that were left. */
export async function renewRecoveryCodes(
  acting: SignedIn,
  { code }: { code: string },
): Promise<Outcome<RecoveryCodes, ChangeRefusal>> {
  const refusal = await mayChange(acting, code)
  if (refusal) return refusal
  const { member } = acting.who
  const recoveryCodes = await changeOwing(acting, member, async (rows, owe) => {
    const codes = await rows.secondFactor.renewCodes(member)
    if (codes) owe({ type: 'NoteSecondFactor', how: 'codes-renewed' })
    return codes
  })
  return recoveryCodes ? done({ recoveryCodes }) : refused('not-on')
}
