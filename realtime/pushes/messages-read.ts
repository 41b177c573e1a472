import { pairIdOf } from '../../domain/shared/ids.ts'
import { isErased } from '../../domain/shared/personal.ts'
import { idFrom } from '../../eventstore/ids.ts'
import type { Pusher } from './push.ts'
import { unreadChanged } from './unread-changed.ts'

/** The other learns how far the reader has come, and the reader's other pages that there is less to read. */
export const messagesReadPusher: Pusher<'MessagesRead'> = {
  push: (event) => {
    const { id, by, other, upTo } = event
    const own = unreadChanged(event, by, 'messages')
    if (isErased(upTo)) return [own]
    const roomId = pairIdOf(by, other)
    return [
      own,
      {
        to: [other],
        name: 'message:read',
        id: idFrom(id, 'read'),
        data: { roomId, upTo },
        about: { pair: roomId, needs: 'open' },
      },
    ]
  },
}
