// These names and fields are the storage format; add, never change.
import { z } from 'zod'
import { at, defineEvent, type EventOf } from '../shared/event.ts'
import { MemberId, NotificationId } from '../shared/ids.ts'
import { Position } from '../shared/recorded.ts'

export const NotificationRead = defineEvent('NotificationRead', [
  z.object({ member: MemberId, notification: NotificationId, at }),
])
/**
 * Everything in the member's list at that position of the log was read at once. `notifications`: those that were unread there,
 * which is right in any log, as a position is not; null where they were not recorded.
 */
export const AllNotificationsRead = defineEvent(
  'AllNotificationsRead',
  [
    z.object({ member: MemberId, upTo: Position, at }),
    z.object({ member: MemberId, upTo: Position, notifications: z.array(NotificationId).nullable(), at }),
  ],
  [(first) => ({ ...first, notifications: null })],
)
export const NotificationRemoved = defineEvent('NotificationRemoved', [
  z.object({ member: MemberId, notification: NotificationId, at }),
])

export const inboxEvents = [NotificationRead, AllNotificationsRead, NotificationRemoved] as const
export type InboxEvent = EventOf<(typeof inboxEvents)[number]>
