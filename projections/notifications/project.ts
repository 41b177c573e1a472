import type { EventNamed, RecordedEvent } from '../../domain/all-events.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { atMost, type Change, fold, type Projection, patch, remove, removeWhere, updateWhere } from '../projection.ts'
import { type NotificationRow, notification } from './table.ts'

type Kind = Pick<NotificationRow, 'type' | 'subtype'>
const MATCH_REQUEST: Kind = { type: 'buzz', subtype: 'match_request' }
const MATCH: Kind = { type: 'match', subtype: null }

type Notice = { recipient: MemberId; from: MemberId; read?: boolean }

function notify(event: RecordedEvent<'Buzzed' | 'Matched'>, kind: Kind, { recipient, from, read }: Notice): Change {
  const id = idFrom(event.id, recipient)
  const { at: created_at, position } = event
  const read_at = read ? created_at : null
  return fold(
    notification,
    { id },
    (row) => row ?? { id, recipient, ...kind, from_member: from, created_at, read_at, position },
  )
}

/**
 * One row for each person: the match takes the place of the buzzes that led to it. Who buzzed last has seen it in the answer
 * to that buzz.
 */
function matched(event: RecordedEvent<'Matched'>): Change[] {
  const [first, second] = event.members
  return [
    removeWhere(notification, { recipient: first, from_member: second, type: 'buzz' }),
    removeWhere(notification, { recipient: second, from_member: first, type: 'buzz' }),
    notify(event, MATCH, { recipient: first, from: second }),
    notify(event, MATCH, { recipient: second, from: first, read: true }),
  ]
}

const readAt = (row: NotificationRow, at: Date): NotificationRow => ({ ...row, read_at: row.read_at ?? at })

function separated({ by, target }: EventNamed<'Blocked' | 'Unmatched'>): Change[] {
  return [
    removeWhere(notification, { recipient: by, from_member: target }),
    removeWhere(notification, { recipient: target, from_member: by }),
  ]
}

/** Only what is unread is looked at: a centre of many that were read costs nothing. */
function allRead({ member, upTo, notifications, at }: EventNamed<'AllNotificationsRead'>): Change[] {
  const unread = { recipient: member, read_at: null }
  if (!notifications) return [updateWhere(notification, { ...unread, position: atMost(upTo) }, { read_at: at })]
  return notifications.map((id) => updateWhere(notification, { ...unread, id }, { read_at: at }))
}

/** Each member's notifications centre; it contains no words, so a new name or an erasure reaches every row. */
export const notifications: Projection = {
  name: 'notifications',
  version: 5,
  ahead: { Blocked: 1, Unmatched: 5, BuzzWithdrawn: 5 },
  tables: [notification],
  when: {
    Buzzed: (event) => [notify(event, MATCH_REQUEST, { recipient: event.to, from: event.from })],
    BuzzWithdrawn: ({ from, to }) => [removeWhere(notification, { recipient: to, from_member: from, type: 'buzz' })],
    Matched: matched,
    Unmatched: separated,
    Blocked: separated,
    NotificationRead: ({ notification: id, at }) => [patch(notification, { id }, (row) => readAt(row, at))],
    AllNotificationsRead: allRead,
    NotificationRemoved: ({ notification: id }) => [remove(notification, { id })],
    AccountErased: ({ member }) => [
      removeWhere(notification, { recipient: member }),
      removeWhere(notification, { from_member: member }),
    ],
  },
}
