import { done, type Outcome, refused } from '../outcome.ts'
import { changeOwing } from '../owed.ts'
import type { SignedIn } from '../ports.ts'
import { type ChangeRefusal, mayChange } from './may-change.ts'

/** From here on the password alone signs in; the recovery codes are good for nothing. */
export async function turnOffSecondFactor(
  acting: SignedIn,
  { code }: { code: string },
): Promise<Outcome<null, ChangeRefusal>> {
  const refusal = await mayChange(acting, code)
  if (refusal) return refusal
  const { member } = acting.who
  const wasOn = await changeOwing(acting, member, async (rows, owe) => {
    if (!(await rows.secondFactor.turnOff(member))) return false
    owe({ type: 'NoteSecondFactor', how: 'turned-off' })
    return true
  })
  return wasOn ? done(null) : refused('not-on')
}
