import { slowDown } from '../act.ts'
import { requireRecent } from '../identity/prove.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import { changeOwing, oweEnded } from '../owed.ts'
import type { SignedIn } from '../ports.ts'

/** For who has lost their app; shown this once. */
export type RecoveryCodes = { readonly recoveryCodes: readonly string[] }
export type ConfirmRefusal = 'login-again' | 'wrong-code' | 'slow-down'

/** Turns the second factor on by a code of the new secret, and ends the member's other sessions. */
export async function confirmSecondFactor(
  acting: SignedIn,
  { code }: { code: string },
): Promise<Outcome<RecoveryCodes, ConfirmRefusal>> {
  const old = requireRecent(acting)
  if (old) return old
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member, session } = acting.who
  const device = await acting.device?.()
  const recoveryCodes = await changeOwing(acting, member, async (rows, owe) => {
    const codes = await rows.secondFactor.confirm(member, code.replace(/\s/g, ''), device)
    if (!codes) return null
    owe({ type: 'NoteSecondFactor', how: 'turned-on' })
    oweEnded(owe, await rows.sessions.revokeAll(member, session))
    return codes
  })
  return recoveryCodes ? done({ recoveryCodes }) : refused('wrong-code')
}
