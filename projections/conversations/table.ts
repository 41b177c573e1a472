import type { Table } from '../table.ts'

/** The room of `member` and `other` as `member` has it: made by the match, closed by unmatch, block and erasure. */
export type ConversationRow = {
  member: string
  other: string
  room: string
  open: boolean
  /** The other was erased while the room was open: it stays readable, as "Deleted member" (ruling R26). */
  gone: boolean
  opened_at: Date
  /** Messages up to this number are from before the latest match and stay hidden. */
  hidden_up_to: number
  /** 0 before the first message. */
  last_number: number
  last_at: Date | null
  /** The number of the last message that `other` wrote. */
  last_received: number
  read_up_to: number
  other_read_up_to: number
  position: string
}

export const conversation: Table<ConversationRow> = {
  name: 'conversation',
  columns: {
    member: 'text collate "C" not null',
    other: 'text collate "C" not null',
    room: 'text collate "C" not null',
    open: 'boolean not null',
    gone: 'boolean not null',
    opened_at: 'timestamptz not null',
    hidden_up_to: 'integer not null',
    last_number: 'integer not null',
    last_at: 'timestamptz',
    last_received: 'integer not null',
    read_up_to: 'integer not null',
    other_read_up_to: 'integer not null',
    position: 'text collate "C" not null',
  },
  key: ['member', 'other'],
  indexes: [{ on: 'other', serves: 'the closing of an erased member’s rooms' }],
}
