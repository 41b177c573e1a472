import type { Selectable } from 'kysely'
import { minutes } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { AppDb } from '../app-db.ts'
import type { AppSchema } from '../app-schema.ts'
import type { Clock } from '../clock.ts'
import { hashToken, newToken } from '../secrets.ts'

/** How long a sign-in waits for its second factor, and how many codes it takes (api-contract C01). */
export const CHALLENGE_MS = minutes(5)
export const CHALLENGE_TRIES = 5

/** A sign-in whose first factor was right. `passwordHash`: the member's at that moment. */
export type Challenge = { member: MemberId; passwordHash: string | null; remember: boolean }

/** Sign-ins that wait for their second factor. */
export type Challenges = {
  /** The token is shown once; only its hash is stored. Null where the password changed since. */
  issue(challenge: Challenge): Promise<string | null>
  /** One that waits and has tries left; null for any other. */
  find(token: string): Promise<Challenge | null>
  /** The same, less one of its tries: counted before the code is compared. */
  takeTry(token: string): Promise<(Challenge & { last: boolean }) | null>
  /** True for one of those who end it at once. */
  end(token: string): Promise<boolean>
  sweep(): Promise<number>
}

type Row = Selectable<AppSchema['sign_in_challenge']>

export function createChallenges({ db, now }: { db: AppDb; now: Clock }): Challenges {
  return {
    issue: ({ member, passwordHash, remember }) =>
      db.transaction().execute(async (tx) => {
        // Whoever erases the account waits for this row, and then finds the challenge.
        const credential = tx.selectFrom('credential').select('member').where('member', '=', member)
        const proven = credential.where('password_hash', 'is not distinct from', passwordHash).forShare()
        if (!(await proven.executeTakeFirst())) return null
        const token = newToken()
        const expires_at = new Date(now().getTime() + CHALLENGE_MS)
        const row = { token_hash: hashToken(token), member, password_hash: passwordHash, remember, expires_at }
        await tx.insertInto('sign_in_challenge').values(row).execute()
        return token
      }),
    async find(token) {
      const row = await db
        .selectFrom('sign_in_challenge')
        .selectAll()
        .where('token_hash', '=', hashToken(token))
        .where('tries', '<', CHALLENGE_TRIES)
        .where('expires_at', '>', now())
        .executeTakeFirst()
      return row ? toChallenge(row) : null
    },
    async takeTry(token) {
      const row = await db
        .updateTable('sign_in_challenge')
        .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .where('token_hash', '=', hashToken(token))
        .where('tries', '<', CHALLENGE_TRIES)
        .where('expires_at', '>', now())
        .returningAll()
        .executeTakeFirst()
      return row ? { ...toChallenge(row), last: row.tries >= CHALLENGE_TRIES } : null
    },
    async end(token) {
      const { numDeletedRows } = await db
        .deleteFrom('sign_in_challenge')
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async sweep() {
      const { numDeletedRows } = await db
        .deleteFrom('sign_in_challenge')
        .where('expires_at', '<=', now())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const toChallenge = (row: Row): Challenge => ({
  member: row.member as MemberId,
  passwordHash: row.password_hash,
  remember: row.remember,
})
