import type { SessionId } from '../../domain/shared/ids.ts'
import type { Session } from '../../services/sessions/sessions.ts'
import { slowDown } from '../act.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { noteEndedSessions } from './note-ended-sessions.ts'
import { requireRecent } from './prove.ts'

/** `current`: the one that asks. */
export type OwnSession = Session & { readonly current: boolean }

/** Where the member is signed in, last used first (api-contract N3). */
export async function listOwnSessions({ sessions, who }: SignedIn): Promise<OwnSession[]> {
  const alive = await sessions.list(who.member)
  return alive.map((session) => ({ ...session, current: session.id === who.session }))
}

/** Ends one session of the member's, perhaps the one that asks. */
export async function endSession(
  acting: SignedIn,
  { session }: { session: string },
): Promise<Outcome<null, 'slow-down' | 'unknown'>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member } = acting.who
  const id = session as SessionId
  if (!(await acting.sessions.revoke(member, id))) return refused('unknown')
  await noteEndedSessions(acting, member, [id])
  return done(null)
}

/** Ends all others, for who signed in just now: a stolen session could else shut its owner out. */
export async function endOtherSessions(acting: SignedIn): Promise<Outcome<null, 'login-again' | 'slow-down'>> {
  const old = requireRecent(acting)
  if (old) return old
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  const { member, session } = acting.who
  await noteEndedSessions(acting, member, await acting.sessions.revokeAll(member, session))
  return done(null)
}
