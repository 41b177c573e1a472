import { minutes } from '../../../domain/shared/dates.ts'
import type { DataExport } from '../../../services/export/exports.ts'
import type { RequestContext, Viewer } from '../../lib/request/context.server.ts'
import { type Answer, done, inWords, refused, tooMany } from '../../lib/words/answer.ts'

/** Who proved who they are within this may do what a stolen session may not (security T37). */
export const RECENT_MS = minutes(15)
const PASSWORD_MAX = 128
const ASK = 'Enter your password, so that nobody else takes your data.'
const WRONG = 'That is not your password.'

export const isRecent = ({ authAt }: Pick<Viewer, 'authAt'>, now: Date): boolean =>
  now.getTime() - authAt.getTime() <= RECENT_MS

/**
 * Asks for a copy of one's own data, once in 24 hours (security §3.3). Who has not signed in for a while gives the
 * password, which is as good as signing in again.
 */
export async function askForExport(
  context: RequestContext,
  viewer: Viewer,
  { password }: { password?: string | undefined },
): Promise<Answer<DataExport>> {
  const proven = await prove(context, viewer, password)
  if (!proven.ok) return proven
  const taken = await context.limits.take('EXPORT', viewer.member)
  if (!taken.ok)
    return tooMany(taken.retryInMs, `You can ask for one copy a day. You can ask again ${inWords(taken.retryInMs)}.`)
  return done(await context.exports.ask(viewer.member))
}

/** Each password that is looked at counts. */
async function prove(context: RequestContext, viewer: Viewer, password: string | undefined): Promise<Answer<null>> {
  if (isRecent(viewer, context.now())) return done(null)
  if (!password) return refused(403, ASK, { code: 'recent_login', fields: { password: ASK } })
  const taken = await context.limits.take('CRIT', viewer.member)
  if (!taken.ok) return tooMany(taken.retryInMs, `Too many tries. You can try again ${inWords(taken.retryInMs)}.`)
  const hash = (await context.credentials.findByMember(viewer.member))?.passwordHash
  const fits = [...password].length <= PASSWORD_MAX
  if (!hash || !fits || !(await context.passwords.verify(hash, password)))
    return refused(403, WRONG, { code: 'wrong_password', fields: { password: WRONG } })
  await context.sessions.reauthenticate(viewer.session)
  return done(null)
}
