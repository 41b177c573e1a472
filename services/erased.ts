import type { MemberId } from '../domain/shared/ids.ts'
import type { AppDb } from './app-db.ts'

/**
 * In the transaction of a row that is a member's own: whether their key is destroyed, so that the row may not be. If not,
 * it is destroyed after this transaction alone, and the erasure finds the row.
 */
export async function isErased(tx: AppDb, member: MemberId): Promise<boolean> {
  const key = await tx
    .selectFrom('subject_key')
    .select('wrapped')
    .where('subject', '=', member)
    .forShare()
    .executeTakeFirst()
  return key?.wrapped.length === 0
}
