import { type AfterReset, afterReset } from '../identity/after-reset.ts'
import { type Unfit, unfitness, unfitnessFor } from '../identity/fit-password.ts'
import { hashNewPassword } from '../identity/new-password.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import { changeOwing, oweEnded } from '../owed.ts'
import type { Ports } from '../ports.ts'

/** `link`: the token of the mail. `confirm` is compared when the caller has one. */
export type UndoInput = { readonly link: string; readonly newPassword: string; readonly confirm?: string }
export type UndoRefusal = Unfit | 'invalid-code' | 'slow-down'

/**
 * Gives an account back to its owner, whose password somebody else knew and turned a second factor on with: sets a new
 * password, turns the factor off and ends every session (security T37). Does not sign in. A refused password leaves the link
 * as it was.
 */
export async function undoSecondFactor(ports: Ports, input: UndoInput): Promise<Outcome<AfterReset, UndoRefusal>> {
  const { link, newPassword } = input
  const unfit = await unfitness(ports, null, newPassword, input.confirm)
  if (unfit) return unfit
  const member = await ports.undoLinks.find(link)
  if (!member) return refused('invalid-code')
  const personal = await unfitnessFor(ports, member, newPassword)
  if (personal) return personal
  const hashed = await hashNewPassword(ports, newPassword, [member])
  if (!hashed.ok) return hashed
  const undone = await changeOwing(ports, member, async (rows, owe) => {
    if (!(await rows.undoLinks.use(link))) return false
    const wasOn = await rows.secondFactor.turnOff(member)
    await rows.credentials.changePassword(member, hashed.value)
    owe({ type: 'NotePasswordChange', how: 'reset' })
    if (wasOn) owe({ type: 'NoteSecondFactor', how: 'turned-off' })
    oweEnded(owe, await rows.sessions.revokeAll(member))
    return true
  })
  if (!undone) return refused('invalid-code')
  const emailKey = (await ports.credentials.findByMember(member))?.emailKey
  return done(emailKey ? await afterReset(ports, { member, emailKey, passwordHash: hashed.value }, true) : {})
}
