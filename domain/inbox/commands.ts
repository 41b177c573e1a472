import { z } from 'zod'
import { MemberId, NotificationId } from '../shared/ids.ts'
import { Position } from '../shared/recorded.ts'

const at = z.date()
export const ReadNotification = z.object({
  type: z.literal('ReadNotification'),
  member: MemberId,
  notification: NotificationId,
  at,
})
/** `notifications` were unread in the list that the member saw, up to the position `upTo`: all of them, or the oldest where there are many. */
export const ReadAllNotifications = z.object({
  type: z.literal('ReadAllNotifications'),
  member: MemberId,
  upTo: Position,
  notifications: z.array(NotificationId),
  at,
})
export const RemoveNotification = z.object({
  type: z.literal('RemoveNotification'),
  member: MemberId,
  notification: NotificationId,
  at,
})

export const InboxCommand = z.discriminatedUnion('type', [ReadNotification, ReadAllNotifications, RemoveNotification])
export type InboxCommand = z.infer<typeof InboxCommand>
