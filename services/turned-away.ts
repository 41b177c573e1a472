import { days, hours } from '../domain/shared/dates.ts'
import type { AppDb } from './app-db.ts'
import type { Clock } from './clock.ts'

/** How long the address of someone under eighteen is turned away (api-contract C05). */
export const MINOR_MS = hours(24)
/** How long that of a suspended account which was erased is, so that nobody returns silently (security §3.3). */
export const BARRED_MS = days(365)

/** Addresses that get no account for a time, by a keyed hash alone. No rate setting lifts it. */
export type TurnedAway = {
  /** The time begins once; another try does not make it longer. */
  turnAway(emailKey: string): Promise<void>
  isTurnedAway(emailKey: string): Promise<boolean>
  sweep(): Promise<number>
}

type Deps = { db: AppDb; now: Clock }

export const createMinors = (deps: Deps): TurnedAway => turnedAway(deps, 'refused_minor', MINOR_MS)
export const createBarred = (deps: Deps): TurnedAway => turnedAway(deps, 'barred_address', BARRED_MS)

function turnedAway({ db, now }: Deps, table: 'refused_minor' | 'barred_address', lastsMs: number): TurnedAway {
  return {
    async turnAway(emailKey) {
      const at = now()
      const expires_at = new Date(at.getTime() + lastsMs)
      await db
        .insertInto(table)
        .values({ email_key: emailKey, expires_at })
        .onConflict((conflict) =>
          conflict.column('email_key').doUpdateSet({ expires_at }).where(`${table}.expires_at`, '<=', at),
        )
        .execute()
    },
    async isTurnedAway(emailKey) {
      const row = await db
        .selectFrom(table)
        .select('expires_at')
        .where('email_key', '=', emailKey)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row !== undefined
    },
    async sweep() {
      const { numDeletedRows } = await db.deleteFrom(table).where('expires_at', '<=', now()).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
