import type { RecordedEvent } from '../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import type { LiveEvents } from '../protocol.ts'
import type { Push, Pusher } from './push.ts'

/** To the member's own sockets, so that other tabs and devices count anew: of how much was read it is as small. */
export function unreadChanged(
  { id }: Pick<RecordedEvent, 'id'>,
  member: MemberId,
  of: LiveEvents['unread:changed']['of'],
): Push<'unread:changed'> {
  return { to: [member], name: 'unread:changed', id: idFrom(id, 'unread'), data: { of }, about: null }
}

type InboxEvent = RecordedEvent<'NotificationRead' | 'AllNotificationsRead' | 'NotificationRemoved'>

const inInbox = (event: InboxEvent): Push[] => [unreadChanged(event, event.member, 'notifications')]

export const notificationReadPusher: Pusher<'NotificationRead'> = { push: inInbox }
export const allNotificationsReadPusher: Pusher<'AllNotificationsRead'> = { push: inInbox }
export const notificationRemovedPusher: Pusher<'NotificationRemoved'> = { push: inInbox }
/** The buzz leaves the centre of whom it was for, and the badge; one that is taken back across a block shows there by nothing. */
export const buzzWithdrawnPusher: Pusher<'BuzzWithdrawn'> = {
  push: (event) => [
    {
      ...unreadChanged(event, event.to, 'notifications'),
      about: { pair: pairIdOf(event.from, event.to), needs: 'unblocked' },
    },
  ],
}
