import { sql } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { uploadsOf } from './records.ts'

/** An upload that something was about to name, or was found to. */
export type MediaUse = { readonly id: string; readonly member: MemberId }

/** Which files galleries name: galleries are in the log, and whoever asks here looks there. */
export type MediaUses = {
  /** Keeps the member's uploads among these, as `attach` does. Answers those that are there. */
  keep(member: MemberId, ids: readonly string[]): Promise<string[]>
  /** Uploads for galleries that were last kept or attached before then, longest ago first. */
  listKept(before: Date, limit: number): Promise<MediaUse[]>
}

export function createMediaUses({ db, now }: { db: AppDb; now: Clock }): MediaUses {
  return {
    async keep(member, ids) {
      if (ids.length === 0) return []
      const inOrder = uploadsOf(db, { member })
        .clearSelect()
        .select('id')
        .where('id', 'in', ids)
        .orderBy('id')
        .forUpdate()
      const kept = db.updateTable('media').set({ attached_at: now() }).where('id', 'in', inOrder)
      return (await kept.returning('id').execute()).map(({ id }) => id)
    },
    async listKept(before, limit) {
      const rows = await db
        .selectFrom('media')
        .select(['id', 'owner'])
        .where('attached_at', '<', before)
        .where('original_id', 'is', null)
        // Written out, as the index has it.
        .where(sql<boolean>`purpose in ('photo', 'avatar', 'voice')`)
        .where('deleted_at', 'is', null)
        .where('owner', 'is not', null)
        .orderBy('attached_at')
        .limit(limit)
        .execute()
      return rows.map(({ id, owner }) => ({ id, member: owner as MemberId }))
    },
  }
}
