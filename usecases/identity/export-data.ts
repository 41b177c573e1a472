import type { DataExport } from '../../services/export/exports.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { isRecent, type ProveRefusal, prove } from './prove.ts'

export type ExportRefusal = ProveRefusal | 'asked-lately'

/**
 * Asks for a copy of one's own data, once in 24 hours (security §3.3). Who has not signed in for a while gives the
 * password, which is as good as signing in again.
 */
export async function askForExport(
  acting: SignedIn,
  { password }: { password?: string | undefined },
): Promise<Outcome<DataExport, ExportRefusal>> {
  const { who, limits, exports, now } = acting
  const proven = isRecent(who, now()) ? done(null) : await prove(acting, password)
  if (!proven.ok) return proven
  const taken = await limits.take('EXPORT', who.member)
  if (!taken.ok) return refused('asked-lately', { retryInMs: taken.retryInMs })
  return done(await exports.ask(who.member))
}
