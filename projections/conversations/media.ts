import type { Expression } from 'kysely'
import type { ReadDb } from '../projection.ts'
import { roomsOf } from './rooms.ts'

type Sent = {
  readonly viewer: Expression<string>
  readonly author: Expression<string>
  readonly media: Expression<string>
}

/** A row where `author`, who is not erased, sent the viewer this media in a room that the viewer reads. */
export const messageWithMedia = (db: ReadDb, { viewer, author, media }: Sent) =>
  roomsOf(db, viewer)
    .innerJoin('message as m', (join) =>
      join
        .onRef('m.room', '=', 'c.room')
        .onRef('m.number', '>', 'c.hidden_up_to')
        .on(({ eb }) => eb('m.media', '=', media)),
    )
    .select('m.id')
    .where(({ eb }) => eb('c.other', '=', author))
    .where('c.gone', '=', false)
    .where(({ eb }) => eb('m.from_member', '=', author))
    .limit(1)
