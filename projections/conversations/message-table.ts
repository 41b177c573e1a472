import type { Table } from '../table.ts'

/** A message of a room. Once its author was erased, `id`, `text` and `media` are null. */
export type MessageRow = {
  room: string
  number: number
  id: string | null
  from_member: string
  text: string | null
  media: string | null
  sent_at: Date
}

/** What an erasure leaves of a message. Rows may be behind it (decision 0033): who reads one asks whether its author is gone. */
export const EMPTIED = { id: null, text: null, media: null } as const

export const message: Table<MessageRow> = {
  name: 'message',
  columns: {
    room: 'text collate "C" not null',
    number: 'integer not null',
    id: 'text collate "C"',
    from_member: 'text collate "C" not null',
    text: 'text',
    media: 'text collate "C"',
    sent_at: 'timestamptz not null',
  },
  key: ['room', 'number'],
  unsampled: ['id', 'text'],
  indexes: [
    { on: 'room, id', serves: 'findMessage and the cursor of listMessages' },
    { on: 'from_member', serves: 'the emptying of an erased member’s messages' },
    { on: 'media', where: 'media is not null', serves: 'who may fetch chat media' },
  ],
}
