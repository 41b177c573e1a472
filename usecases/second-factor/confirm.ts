import { slowDown } from '../act.ts'
import { noteEndedSessions } from '../identity/note-ended-sessions.ts'
import { requireRecent } from '../identity/prove.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { noteChange } from './note-change.ts'

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
  const recoveryCodes = await acting.secondFactor.confirm(member, code.replace(/\s/g, ''))
  if (!recoveryCodes) return refused('wrong-code')
  const ended = await acting.sessions.revokeAll(member, session)
  await noteChange(acting, member, 'turned-on')
  await noteEndedSessions(acting, member, ended)
  return done({ recoveryCodes })
}
