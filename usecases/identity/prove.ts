import { minutes } from '../../domain/shared/dates.ts'
import { type Answer, done, inWords, refused, tooMany } from '../answer.ts'
import type { Ports, Viewer } from '../ports.ts'

/** Who proved who they are within this may do what a stolen session may not (security T37). */
export const RECENT_MS = minutes(15)
const PASSWORD_MAX = 128
const WRONG = 'That is not your password.'

export const isRecent = ({ authAt }: Pick<Viewer, 'authAt'>, now: Date): boolean =>
  now.getTime() - authAt.getTime() <= RECENT_MS

/** What is said where no password is given, and the codes of both refusals. */
export type Asking = { readonly ask: string; readonly missing: string; readonly wrong: string }

/**
 * Holds a password against the member's own; the right one is as good as signing in again. Each one that is looked at
 * counts.
 */
export async function prove(
  context: Ports,
  viewer: Viewer,
  password: string | undefined,
  { ask, missing, wrong }: Asking,
): Promise<Answer<null>> {
  if (!password) return refused(403, ask, { code: missing, fields: { password: ask } })
  const taken = await context.limits.take('CRIT', viewer.member)
  if (!taken.ok) return tooMany(taken.retryInMs, `Too many tries. You can try again ${inWords(taken.retryInMs)}.`)
  const hash = (await context.credentials.findByMember(viewer.member))?.passwordHash
  const fits = [...password].length <= PASSWORD_MAX
  if (!hash || !fits || !(await context.passwords.verify(hash, password)))
    return refused(403, WRONG, { code: wrong, fields: { password: WRONG } })
  await context.sessions.reauthenticate(viewer.session)
  return done(null)
}
