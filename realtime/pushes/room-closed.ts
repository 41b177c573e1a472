import type { RecordedEvent } from '../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import type { Away } from '../rights/absences.ts'
import type { Push, Pusher } from './push.ts'
import { unreadChanged } from './unread-changed.ts'

/** Both hear that the room is closed, never why: an unmatch and a block read the same. */
function closed({ id, by, target }: RecordedEvent<'Unmatched' | 'Blocked'>): Push[] {
  const data = { roomId: pairIdOf(by, target) }
  return [{ to: [by, target], name: 'room:closed', id: idFrom(id, 'closed'), data, about: null }]
}

export const unmatchedPusher: Pusher<'Unmatched'> = { push: closed }
/**
 * For a pair that had a room. Who never matched hears nothing of a block; whoever blocks may have had a buzz in the centre,
 * which leaves it and the badge.
 */
export const blockedPusher: Pusher<'Blocked'> = {
  push: closed,
  silent: (event) => [unreadChanged(event, event.by, 'notifications')],
}

/** The same for the matches of somebody whose account is away: no frame shows which of these it was (ruling R5). */
export function closedByAbsence({ id, member }: Away, match: MemberId): Push {
  const data = { roomId: pairIdOf(member, match) }
  return { to: [match], name: 'room:closed', id: idFrom(id, match, 'closed'), data, about: null }
}
