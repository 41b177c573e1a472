import { pairIdOf } from '../../domain/shared/ids.ts'
import { isErased, valueOr } from '../../domain/shared/personal.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { mediaUrl } from '../../projections/view/present.ts'
import type { Pusher } from './push.ts'

/** A chat message goes to both: the sender's other pages show it too. Words of an erased author are not there. */
export const messageSentPusher: Pusher<'MessageSent'> = {
  push: (event) => {
    const { message, number, from, to, at } = event
    if (isErased(event.text) || isErased(message)) return []
    const roomId = pairIdOf(from, to)
    const media = valueOr(event.media, null)
    return [
      {
        to: [to, from],
        name: 'direct:message',
        id: idFrom(event.id, 'message'),
        data: {
          id: message,
          roomId,
          from,
          to,
          number,
          text: event.text,
          ...(media && { media: { id: media, url: mediaUrl(media) } }),
          time: at.toISOString(),
        },
        about: { pair: roomId, needs: 'open' },
      },
    ]
  },
}
