import type { DataExport } from '../../services/export/exports.ts'
import { done, type Outcome, refused } from '../outcome.ts'
import type { SignedIn } from '../ports.ts'
import { type Proof, type ProveRefusal, proveUnlessRecent } from './prove.ts'

export type ExportRefusal = ProveRefusal | 'asked-lately'

/**
 * Asks for a copy of one's own data, once in 24 hours (security §3.3). By the rule that deleting the account has: the
 * right password, or none where they proved who they are within 15 minutes.
 */
export async function askForExport(acting: SignedIn, proof: Proof): Promise<Outcome<DataExport, ExportRefusal>> {
  const { who, limits, exports } = acting
  const proven = await proveUnlessRecent(acting, proof)
  if (!proven.ok) return proven
  const taken = await limits.take('EXPORT', who.member)
  if (!taken.ok) return refused('asked-lately', { retryInMs: taken.retryInMs })
  return done(await exports.ask(who.member))
}
