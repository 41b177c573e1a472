import { done, type Outcome, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { type ChangeRefusal, mayChange } from './may-change.ts'
import { noteChange } from './note-change.ts'

/** From here on the password alone signs in; the recovery codes are good for nothing. */
export async function turnOffSecondFactor(
  acting: SignedIn,
  { code }: { code: string },
): Promise<Outcome<null, ChangeRefusal>> {
  const refusal = await mayChange(acting, code)
  if (refusal) return refusal
  const { member } = acting.who
  if (!(await acting.secondFactor.turnOff(member))) return refused('not-on')
  await noteChange(acting, member, 'turned-off')
  return done(null)
}
