import type { MemberId } from '../domain/shared/ids.ts'
import { unreadTotal } from './conversations/queries.ts'
import { unreadTotals } from './notifications/queries.ts'
import type { ReadDb } from './projection.ts'
import { mediaUrl } from './view/present.ts'

/** The signed-in member as the frame of every page shows them, with the totals behind the badges (spec 2 §2). */
export type ShellCounts = {
  id: string
  firstName: string
  avatarUrl: string | null
  unread: { chat: number; buzzes: number; notifications: number }
}

/** null for a member without a profile yet. One query: every page asks it. */
export async function findShellMember(db: ReadDb, member: MemberId): Promise<ShellCounts | null> {
  const row = await db
    .selectFrom('profile as own')
    .innerJoin(unreadTotal(db, member).as('conversations'), (join) => join.onTrue())
    .innerJoin(unreadTotals(db, member).as('inbox'), (join) => join.onTrue())
    .select(['own.first_name', 'own.avatar', 'conversations.chat', 'inbox.buzzes', 'inbox.notifications'])
    .where('own.member', '=', member)
    .executeTakeFirst()
  if (!row) return null
  const { first_name, avatar, ...unread } = row
  return { id: member, firstName: first_name, avatarUrl: avatar && mediaUrl(avatar), unread }
}
