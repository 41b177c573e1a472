import type { MemberId } from '../domain/shared/ids.ts'
import { countUnread } from './conversations/queries.ts'
import { getNotificationCounts } from './notifications/queries.ts'
import type { ReadDb } from './projection.ts'

/** The signed-in member as the frame of every page shows them, with the totals behind the badges (spec 2 §2). */
export type ShellCounts = {
  id: string
  firstName: string
  avatarUrl: string | null
  unread: { chat: number; buzzes: number; notifications: number }
}

/** null for a member without a profile yet. */
export async function findShellMember(db: ReadDb, member: MemberId): Promise<ShellCounts | null> {
  const [profile, chat, notifications] = await Promise.all([
    db.selectFrom('profile').select(['first_name', 'avatar']).where('member', '=', member).executeTakeFirst(),
    countUnread(db, member),
    getNotificationCounts(db, member),
  ])
  if (!profile) return null
  return {
    id: member,
    firstName: profile.first_name,
    avatarUrl: profile.avatar && `/media/${profile.avatar}`,
    unread: { chat: chat.total, buzzes: notifications.buzz, notifications: notifications.total },
  }
}
