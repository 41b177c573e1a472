import { addMs, days } from '../../domain/shared/dates.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { type AppDb, inTransaction } from '../app-db.ts'
import type { Clock } from '../clock.ts'
import { hashToken, newToken } from '../secrets.ts'

/** How long the owner of an account may undo that a second factor was turned on (security T37). */
export const UNDO_MS = days(7)

/** `since`: when it was turned on. */
export type UndoLink = { readonly token: string; readonly since: Date; readonly until: Date }

/**
 * Links of mails by which the owner of an account undoes a second factor that somebody else turned on. Each is good for the
 * one that is on when it is made, also once that is off, until seven days after it was turned on, until the password is another
 * one, and until another factor is on.
 */
export type UndoLinks = {
  /** The token is shown once; only its hash is stored. Null where no second factor is on, or for longer than that. */
  issue(member: MemberId): Promise<UndoLink | null>
  /** Whose link this is, without using it up; null for one that does nothing. */
  find(token: string): Promise<MemberId | null>
  /** Uses the link up, in the transaction of what it is for; null for one that does nothing. */
  use(token: string): Promise<MemberId | null>
  sweep(): Promise<number>
}

type Deps = { db: AppDb; now: Clock }

export function createUndoLinks(deps: Deps): UndoLinks {
  const { db, now } = deps
  return {
    issue: (member) => inTransaction(db, (tx) => issue(tx, member, now())),
    find: async (token) => (await liveRow(db, token, now()))?.member ?? null,
    use: (token) => inTransaction(db, (tx) => use(tx, token, now())),
    async sweep() {
      const { numDeletedRows } = await db.deleteFrom('undo_link').where('expires_at', '<=', now()).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

async function issue(tx: AppDb, member: MemberId, at: Date): Promise<UndoLink | null> {
  // Whoever erases the account waits for this row, and then finds the link.
  const factor = tx.selectFrom('second_factor').select('confirmed_at').where('member', '=', member).forShare()
  const since = (await factor.executeTakeFirst())?.confirmed_at
  if (!since) return null
  const until = addMs(since, UNDO_MS)
  if (at >= until) return null
  const token = newToken()
  await tx
    .insertInto('undo_link')
    .values({ link_hash: hashToken(token), member, since, expires_at: until })
    .execute()
  return { token, since, until }
}

async function liveRow(db: AppDb, token: string, at: Date): Promise<{ member: MemberId; since: Date } | null> {
  const row = await db
    .selectFrom('undo_link as link')
    .leftJoin('second_factor as factor', (join) =>
      join.onRef('factor.member', '=', 'link.member').on('factor.confirmed_at', 'is not', null),
    )
    .select(['link.member', 'link.since'])
    .where('link.link_hash', '=', hashToken(token))
    .where('link.expires_at', '>', at)
    .where((eb) => eb.or([eb('factor.member', 'is', null), eb('factor.confirmed_at', '=', eb.ref('link.since'))]))
    .executeTakeFirst()
  return row ? { member: row.member as MemberId, since: row.since } : null
}

/** The credential is locked first: a session that is made meanwhile is there before and ends too, or finds another password. */
async function use(tx: AppDb, token: string, at: Date): Promise<MemberId | null> {
  const link = await liveRow(tx, token, at)
  if (!link) return null
  const { member, since } = link
  const credential = tx.selectFrom('credential').select('member').where('member', '=', member).forUpdate()
  if (!(await credential.executeTakeFirst())) return null
  const used = tx.deleteFrom('undo_link').where('link_hash', '=', hashToken(token))
  if ((await used.executeTakeFirst()).numDeletedRows === 0n) return null
  // Whoever took the account may turn it off to be rid of the link.
  const factor = tx.selectFrom('second_factor').select('member').where('member', '=', member).forUpdate()
  const another = factor.where('confirmed_at', 'is not', null).where('confirmed_at', '!=', since)
  return (await another.executeTakeFirst()) ? null : member
}
