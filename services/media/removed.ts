import { days } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { isKyc } from './kinds.ts'
import type { Media } from './records.ts'

/** As long as an erased member can be reported (api-contract C44). */
const REPORTABLE_MS = days(90)

type Deps = { db: AppDb; now: Clock }

/** A member's file is about to be removed: whose it was stays known, under every id that others may have seen. */
export async function noteRemoved(
  { db, now }: Deps,
  { id, blurredId, posterId, owner, purpose }: Media,
): Promise<void> {
  if (!('member' in owner) || isKyc(purpose)) return
  const ids = [id, blurredId, posterId].filter((one) => one !== null)
  await db
    .insertInto('removed_media')
    .values(ids.map((one) => ({ id: one, owner: owner.member, removed_at: now() })))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Whose a removed file was; null for one that never was, or was removed long ago. */
export async function ownerOfRemoved({ db }: Deps, id: string): Promise<MemberId | null> {
  const row = await db.selectFrom('removed_media').select('owner').where('id', '=', id).executeTakeFirst()
  return row ? (row.owner as MemberId) : null
}

export async function sweepRemoved({ db, now }: Deps): Promise<number> {
  const before = new Date(now().getTime() - REPORTABLE_MS)
  const { numDeletedRows } = await db.deleteFrom('removed_media').where('removed_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
