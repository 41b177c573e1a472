import type { Category, EventType } from '../../domain/all-events.ts'
import type { Table } from '../table.ts'

/** That an event is part of a member's history; its content stays in the log. */
export type HistoryRow = {
  member: string
  position: string
  id: string
  stream: string
  revision: number
  /** Of its stream. */
  kind: Category
  type: EventType
  at: Date
}

export const history: Table<HistoryRow> = {
  name: 'history',
  columns: {
    member: 'text collate "C" not null',
    position: 'text collate "C" not null',
    id: 'text not null',
    stream: 'text collate "C" not null',
    revision: 'integer not null',
    kind: 'text not null',
    type: 'text not null',
    at: 'timestamptz not null',
  },
  key: ['member', 'position'],
  appended: true,
  indexes: [
    { on: 'stream, revision', serves: 'findMembersOf, which looks up whose a stream is' },
    { on: 'member', where: "type = 'RoleGranted'", serves: 'listMembersEverGranted' },
  ],
}
