import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import type { ReadDb } from '../projection.ts'
import { roomsOf } from './rooms.ts'

/** Whether `author`, who is not erased, sent the viewer this media in a room that the viewer reads. */
export async function isMessageMediaFor(
  db: ReadDb,
  viewer: MemberId,
  author: MemberId,
  media: MediaId,
): Promise<boolean> {
  const row = await roomsOf(db, viewer)
    .innerJoin('message as m', (join) =>
      join.onRef('m.room', '=', 'c.room').onRef('m.number', '>', 'c.hidden_up_to').on('m.media', '=', media),
    )
    .select('m.id')
    .where('c.other', '=', author)
    .where('c.gone', '=', false)
    .where('m.from_member', '=', author)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
