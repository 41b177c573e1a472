import type { DataExport } from '../../services/export/exports.ts'
import { type Answer, done, inWords, tooMany } from '../answer.ts'
import type { Ports, Viewer } from '../ports.ts'
import { isRecent } from './prove.ts'
import { proveWith } from './prove-answer.ts'

const ASKING = {
  ask: 'Enter your password, so that nobody else takes your data.',
  missing: 'recent_login',
  wrong: 'wrong_password',
}

/**
 * Asks for a copy of one's own data, once in 24 hours (security §3.3). Who has not signed in for a while gives the
 * password, which is as good as signing in again.
 */
export async function askForExport(
  context: Ports,
  viewer: Viewer,
  { password }: { password?: string | undefined },
): Promise<Answer<DataExport>> {
  const proven = isRecent(viewer, context.now()) ? done(null) : await proveWith(context, viewer, password, ASKING)
  if (!proven.ok) return proven
  const taken = await context.limits.take('EXPORT', viewer.member)
  if (!taken.ok)
    return tooMany(taken.retryInMs, `You can ask for one copy a day. You can ask again ${inWords(taken.retryInMs)}.`)
  return done(await context.exports.ask(viewer.member))
}
