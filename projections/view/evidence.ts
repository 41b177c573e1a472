import type { Evidence } from '../../domain/safety/events.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'

/** How many messages a report keeps (security T34). */
const MESSAGES_KEPT = 50

/**
 * What a report keeps: the target's current profile and the last messages of the two, whatever either may still
 * see. null when the reporter can never have met the target: no such member, and nothing between the two.
 */
export async function collectEvidence(db: ReadDb, by: MemberId, target: MemberId): Promise<Evidence | null> {
  const profile = await db
    .selectFrom('profile')
    .select(['first_name', 'bio'])
    .where('member', '=', target)
    .executeTakeFirst()
  const photos = await db.selectFrom('gallery_item').select('media').where('member', '=', target).execute()
  const messages = await db
    .selectFrom('message')
    .select(['id', 'from_member', 'text', 'sent_at'])
    .where('room', '=', pairIdOf(by, target))
    .orderBy('number', 'desc')
    .limit(MESSAGES_KEPT)
    .execute()
  if (!profile && messages.length === 0) return null
  return {
    profile: profile
      ? { firstName: profile.first_name, bio: profile.bio, photos: photos.map((photo) => photo.media) }
      : null,
    messages: messages.reverse().map((message) => ({
      id: message.id as MessageId,
      from: message.from_member as MemberId,
      text: message.text ?? '',
      sentAt: message.sent_at.toISOString(),
    })),
  }
}
