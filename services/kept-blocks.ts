import { days } from '../domain/shared/dates.ts'
import type { MemberId } from '../domain/shared/ids.ts'
import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'

/** How long others' blocks of somebody who was erased are kept (security §3.3). */
export const KEPT_BLOCK_MS = days(365)

/**
 * Who had blocked the holder of an address when they were erased, by its keyed hash alone: whoever comes back with the
 * address is as far from them as before (security T16).
 */
export type KeptBlocks = {
  /** Beside what is kept for the address. */
  keep(emailKey: string, by: MemberId): Promise<void>
  lift(emailKey: string, by: MemberId): Promise<void>
  list(emailKey: string): Promise<MemberId[]>
  /** Once they are in the log again. */
  forget(emailKey: string): Promise<void>
  sweep(): Promise<number>
}

export function createKeptBlocks({ db, now }: { db: AppDb; now: Clock }): KeptBlocks {
  const of = (emailKey: string) => db.deleteFrom('kept_block').where('email_key', '=', emailKey)
  return {
    async keep(emailKey, by) {
      const expires_at = new Date(now().getTime() + KEPT_BLOCK_MS)
      await db
        .insertInto('kept_block')
        .values({ email_key: emailKey, member: by, expires_at })
        .onConflict((conflict) => conflict.columns(['email_key', 'member']).doUpdateSet({ expires_at }))
        .execute()
    },
    async lift(emailKey, by) {
      await of(emailKey).where('member', '=', by).execute()
    },
    async list(emailKey) {
      const rows = await db
        .selectFrom('kept_block')
        .select('member')
        .where('email_key', '=', emailKey)
        .where('expires_at', '>', now())
        .orderBy('member')
        .execute()
      return rows.map(({ member }) => member as MemberId)
    },
    async forget(emailKey) {
      await of(emailKey).execute()
    },
    async sweep() {
      const { numDeletedRows } = await db.deleteFrom('kept_block').where('expires_at', '<=', now()).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
