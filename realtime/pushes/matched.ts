import { pairIdOf } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { newsOf } from './notification.ts'
import type { Push, Pusher } from './push.ts'

const MATCH = { type: 'match', subtype: null } as const

/** Both hear of the match, and each finds it in their notifications (spec 1 §4). */
export const matchedPusher: Pusher<'Matched'> = {
  names: ({ members }) => members,
  push: (event, names) => {
    const [first, second] = event.members
    const roomId = pairIdOf(first, second)
    const about = { pair: roomId, needs: 'open' as const }
    const sides = [
      [first, second],
      [second, first],
    ] as const
    return sides.flatMap(([me, other]): Push[] => [
      {
        to: [me],
        name: 'match',
        id: idFrom(event.id, me, 'match'),
        data: { otherUserId: other, roomId },
        about,
      },
      { ...newsOf(event, MATCH, { to: me, from: other, read: me === second }, names), about },
    ])
  },
}
