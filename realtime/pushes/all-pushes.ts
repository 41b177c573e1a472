import type { EventType, RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { buzzedPusher } from './buzzed.ts'
import { matchedPusher } from './matched.ts'
import { messageSentPusher } from './message-sent.ts'
import { messagesReadPusher } from './messages-read.ts'
import type { Names, Push, Pusher } from './push.ts'
import { blockedPusher, unmatchedPusher } from './room-closed.ts'
import {
  allNotificationsReadPusher,
  buzzWithdrawnPusher,
  notificationReadPusher,
  notificationRemovedPusher,
} from './unread-changed.ts'

const pushers: { readonly [T in EventType]?: Pusher<T> } = {
  Matched: matchedPusher,
  Buzzed: buzzedPusher,
  BuzzWithdrawn: buzzWithdrawnPusher,
  MessageSent: messageSentPusher,
  MessagesRead: messagesReadPusher,
  NotificationRead: notificationReadPusher,
  AllNotificationsRead: allNotificationsReadPusher,
  NotificationRemoved: notificationRemovedPusher,
  Unmatched: unmatchedPusher,
  Blocked: blockedPusher,
}

const pusherOf = (type: string) =>
  (Object.hasOwn(pushers, type) ? pushers[type as EventType] : undefined) as Pusher<EventType> | undefined

export const isPushed = (type: string): boolean => pusherOf(type) !== undefined

/** Members whose names the pushes of an event need. */
export function namesFor(event: RecordedEvent): readonly MemberId[] {
  return pusherOf(event.type)?.names?.(event) ?? []
}

export function silentPushesOf(event: RecordedEvent): readonly Push[] {
  return pusherOf(event.type)?.silent?.(event) ?? []
}

export function pushesOf(event: RecordedEvent, names: Names): readonly Push[] {
  return pusherOf(event.type)?.push(event, names) ?? []
}
