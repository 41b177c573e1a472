import type { AppDb } from '../app-db.ts'
import { isLeased, type ProofLease } from '../proof-leases.ts'
import { type Claim, claimedOf, type Registrant, uploadsOf } from './records.ts'

/** `missing`: a claim does not fit. `over`: the registration has lost its lease. */
export type HandedOver = 'done' | 'missing' | 'over'

type HandingOver = { readonly under: ProofLease; readonly registrant: Registrant; readonly claims: readonly Claim[] }

/** In a transaction. Every upload is locked, in the order of their ids, before any of them is judged or changed. */
export async function handOver(tx: AppDb, at: Date, { under, registrant, claims }: HandingOver): Promise<HandedOver> {
  if (!(await isLeased(tx, under))) return 'over'
  const { member } = registrant
  const rows = await uploadsOf(tx, registrant).orderBy('id').forUpdate().execute()
  if (!claimedOf(rows, claims)) return 'missing'
  if (rows.length === 0) return 'done'
  const ids = rows.map(({ id }) => id)
  const claimed = claims.map(({ id }) => id)
  await tx
    .updateTable('media')
    .set({ owner: member, proof: null })
    .where((where) => where.or([where('id', 'in', ids), where('original_id', 'in', ids)]))
    .execute()
  if (claimed.length === 0) return 'done'
  await tx.updateTable('media').set({ attached_at: at }).where('id', 'in', claimed).execute()
  return 'done'
}
