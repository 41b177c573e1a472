import { slowDown } from '../act.ts'
import { requireRecent } from '../identity/prove.ts'
import { type Refused, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { type OwnCodeRefusal, spendOwnCode } from './own-code.ts'

export type ChangeRefusal = OwnCodeRefusal | 'login-again' | 'not-on' | 'slow-down'

/** A second factor that is on is changed by who signed in just now and has a code of it, which is used up. */
export async function mayChange(acting: SignedIn, code: string): Promise<Refused<ChangeRefusal> | null> {
  const old = requireRecent(acting)
  if (old) return old
  const wait = await slowDown(acting, 'CRIT')
  if (wait) return wait
  if (!(await acting.secondFactor.isOn(acting.who.member))) return refused('not-on')
  return spendOwnCode(acting, code)
}
