import { type Expression, sql } from 'kysely'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { roomsOf } from './rooms.ts'

/** One more than is shown: 99+ (spec 2 §2). Every page counts, so nobody counts further. */
const UNREAD_MAX = 100
/** Messages of a room that are looked at for it, from the last received on: the viewer's own lie between. */
const LOOKED_AT = 200

const readUpTo = sql`greatest(c.read_up_to, c.hidden_up_to)`
const isUnread = sql<boolean>`(not c.gone and c.last_received > ${readUpTo})`
const newest = sql<{ from_member: string }>`(select m.from_member from read.message m
  where m.room = c.room and m.number > ${readUpTo} and m.number <= c.last_received
  order by m.number desc limit ${sql.lit(LOOKED_AT)})`

/** How many messages of room c the viewer has not read, `UNREAD_MAX` at most; one at least where there is any. */
export const unread = sql<number>`case when ${isUnread} then
  (select least(count(*), ${sql.lit(UNREAD_MAX)})::int from ${newest} n where n.from_member = c.other) else 0 end`

const unreadRooms = (db: ReadDb, viewer: MemberId | Expression<string>) => roomsOf(db, viewer).where(isUnread)

/** Unread messages in all, as far as they are counted, to be part of a query. */
export const unreadTotal = (db: ReadDb, viewer: MemberId | Expression<string>) =>
  db
    .selectFrom(
      unreadRooms(db, viewer)
        .innerJoinLateral(newest.as<'n'>(sql`n`), (join) => join.onTrue())
        .whereRef('n.from_member', '=', 'c.other')
        .select('c.other')
        .limit(sql.lit(UNREAD_MAX))
        .as('counted'),
    )
    .select(sql<number>`count(*)::int`.as('chat'))

/** Unread messages in all and by sender, each as far as they are counted (api-contract N6). */
export async function countUnread(
  db: ReadDb,
  viewer: MemberId,
): Promise<{ total: number; byUser: Record<string, number> }> {
  const rows = await unreadRooms(db, viewer)
    .select(['c.other', unread.as('unread')])
    .execute()
  const byUser = Object.fromEntries(rows.map((row) => [row.other, row.unread]))
  const total = rows.reduce((sum, row) => sum + row.unread, 0)
  return { total: Math.min(total, UNREAD_MAX), byUser }
}
