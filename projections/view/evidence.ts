import type { Evidence } from '../../domain/safety/events.ts'
import { type MediaId, type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { messageIdOf } from '../conversations/message-id.ts'
import { EMPTIED, type MessageRow } from '../conversations/message-table.ts'
import type { ReadDb } from '../projection.ts'

/** How many messages a report keeps (security T34). */
const MESSAGES_KEPT = 50
/** Of their words, as JSON, at most; those pointed at first and then the latest: sealed, an event has to fit into the log's 1 MiB. */
const BYTES_KEPT = 600 * 1024

/** What a report is about beside its target. */
export type Pointed = { readonly message: MessageId | null; readonly media: MediaId | null }

/** The target's current profile, and the last messages of the two with those pointed at, whatever either may still see. */
export type Reported = {
  readonly profile: Evidence['profile']
  readonly messages: readonly Pick<MessageRow, 'id' | 'number' | 'from_member' | 'text' | 'sent_at'>[]
}

/** What rows have for a report. Of whoever never was a member there is no profile. */
export async function collectReported(
  db: ReadDb,
  by: MemberId,
  target: MemberId,
  pointed: Pointed = { message: null, media: null },
): Promise<Reported> {
  const profile = await db
    .selectFrom('profile')
    .select(['first_name', 'bio'])
    .where('member', '=', target)
    .executeTakeFirst()
  const photos = await db.selectFrom('gallery_item').select('media').where('member', '=', target).execute()
  return {
    profile: profile
      ? { firstName: profile.first_name, bio: profile.bio, photos: photos.map((photo) => photo.media) }
      : null,
    messages: await messagesOf(db, by, target, pointed),
  }
}

/** What a report keeps. Nothing that is of `erased`, the target, although rows may still have it (decision 0033). */
export function evidenceFrom({ profile, messages }: Reported, erased: MemberId | null): Evidence {
  const rows = messages.map((row) => (row.from_member === erased ? { ...row, ...EMPTIED } : row))
  return {
    profile: erased === null ? profile : null,
    messages: rows.map((row) => ({
      id: messageIdOf(row),
      from: row.from_member as MemberId,
      text: row.text ?? '',
      sentAt: row.sent_at.toISOString(),
    })),
  }
}

/** Oldest first. */
async function messagesOf(db: ReadDb, by: MemberId, target: MemberId, { message, media }: Pointed) {
  const room = db
    .selectFrom('message')
    .select(['id', 'number', 'from_member', 'text', 'sent_at'])
    .where('room', '=', pairIdOf(by, target))
  const last = await room.orderBy('number', 'desc').limit(MESSAGES_KEPT).execute()
  const pointed = await room
    .where((where) => where.or([where('id', '=', message), where('media', '=', media)]))
    .orderBy('number')
    .limit(MESSAGES_KEPT)
    .execute()
  const byNumber = new Map([...pointed, ...last].map((one) => [one.number, one]))
  let bytes = 0
  const fitting = [...byNumber.values()].filter(({ text }) => {
    bytes += Buffer.byteLength(JSON.stringify(text ?? ''))
    return bytes <= BYTES_KEPT
  })
  return fitting.sort((a, b) => a.number - b.number)
}
