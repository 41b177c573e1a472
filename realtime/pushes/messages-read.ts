import { pairIdOf } from '../../domain/shared/ids.ts'
import { isErased } from '../../domain/shared/personal.ts'
import { idFrom } from '../../eventstore/ids.ts'
import type { Pusher } from './push.ts'

/** The other learns how far the reader has come. */
export const messagesReadPusher: Pusher<'MessagesRead'> = {
  push: ({ id, by, other, upTo }) => {
    if (isErased(upTo)) return []
    const roomId = pairIdOf(by, other)
    return [
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
