import type { Table } from '../table.ts'

/** A row of a member's notifications centre; its words are made when it is read, from the sender's name. */
export type NotificationRow = {
  /** The same for the same event and recipient. */
  id: string
  recipient: string
  type: 'buzz' | 'match'
  /** Distinguishes the two kinds of buzz (ruling R22). */
  subtype: 'match_request' | 'buzz' | null
  from_member: string
  created_at: Date
  read_at: Date | null
  position: string
}

export const notification: Table<NotificationRow> = {
  name: 'notification',
  columns: {
    id: 'text collate "C" not null',
    recipient: 'text collate "C" not null',
    type: 'text not null',
    subtype: 'text',
    from_member: 'text collate "C" not null',
    created_at: 'timestamptz not null',
    read_at: 'timestamptz',
    position: 'text collate "C" not null',
  },
  key: ['id'],
  indexes: [
    { on: 'recipient, position desc', serves: 'listNotifications and notificationCounts' },
    { on: 'recipient', where: 'read_at is null', serves: 'Mark all read' },
    { on: 'recipient, from_member', serves: 'the removal of what a blocked member sent' },
    { on: 'from_member', serves: 'the removal of what an erased member sent' },
  ],
}
