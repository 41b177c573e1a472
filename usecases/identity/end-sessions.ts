import type { SessionId } from '../../domain/shared/ids.ts'
import type { Session } from '../../services/sessions/sessions.ts'
import { slowDownFor } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import { changeOwing, oweEnded, revokeOwing } from '../owed.ts'
import type { SignedIn } from '../ports.ts'
import { requireRecent } from './prove.ts'

/** `current`: the one that asks. */
export type OwnSession = Session & { readonly current: boolean }

/** Where the member is signed in, last used first (api-contract N3). */
export async function listOwnSessions({ sessions, who }: SignedIn): Promise<OwnSession[]> {
  const alive = await sessions.list(who.member)
  return alive.map((session) => ({ ...session, current: session.id === who.session }))
}

/** Ends one session of the member's: the one that asks, or with a sign-in of just now another one. */
export async function endSession(
  acting: SignedIn,
  { session }: { session: string },
): Promise<Outcome<null, 'login-again' | 'slow-down' | 'unknown'>> {
  const old = session === acting.who.session ? null : requireRecent(acting)
  if (old) return old
  const wait = await slowDownFor(acting, 'SESSIONS', acting.who.session)
  if (wait) return wait
  const { member } = acting.who
  const id = session as SessionId
  const ended = await revokeOwing(acting, member, async (rows) => ((await rows.revoke(member, id)) ? [id] : []))
  return ended.length > 0 ? done(null) : refused('unknown')
}

/** Ends all others, for who signed in just now: a stolen session could else shut its owner out. */
export async function endOtherSessions(acting: SignedIn): Promise<Outcome<null, 'login-again' | 'slow-down'>> {
  const old = requireRecent(acting)
  if (old) return old
  const wait = await slowDownFor(acting, 'SESSIONS', acting.who.session)
  if (wait) return wait
  const { member, session } = acting.who
  const ended = await changeOwing(acting, member, async ({ sessions }, owe) => {
    const others = await sessions.revokeOthers(member, session)
    return others && oweEnded(owe, others)
  })
  return ended ? done(null) : refused('login-again')
}
