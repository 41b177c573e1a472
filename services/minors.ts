import { hours } from '../domain/shared/dates.ts'
import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'

/** For so long an address is turned away (api-contract C05). */
export const MINOR_MS = hours(24)

/** Addresses whose holders said that they are under eighteen: a keyed hash, for a day. No rate setting lifts it. */
export type Minors = {
  /** Its day begins once; another try does not make it longer. */
  turnAway(emailKey: string): Promise<void>
  isTurnedAway(emailKey: string): Promise<boolean>
  sweep(): Promise<number>
}

export function createMinors({ db, now }: { db: AppDb; now: Clock }): Minors {
  return {
    async turnAway(emailKey) {
      const at = now()
      const expires_at = new Date(at.getTime() + MINOR_MS)
      await db
        .insertInto('refused_minor')
        .values({ email_key: emailKey, expires_at })
        .onConflict((conflict) =>
          conflict.column('email_key').doUpdateSet({ expires_at }).where('refused_minor.expires_at', '<=', at),
        )
        .execute()
    },
    async isTurnedAway(emailKey) {
      const row = await db
        .selectFrom('refused_minor')
        .select('expires_at')
        .where('email_key', '=', emailKey)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row !== undefined
    },
    async sweep() {
      const { numDeletedRows } = await db
        .deleteFrom('refused_minor')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
