import type { EventNamed, RecordedEvent } from '../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import { type Change, fold, type Projection, patch, put, removeWhere, updateWhere } from '../projection.ts'
import { EMPTIED, message } from './message-table.ts'
import { type ConversationRow, conversation } from './table.ts'

type Positioned = { readonly position: string }
type Step = (row: ConversationRow) => ConversationRow

/** An event that the row has seen already changes nothing: a second match hides the messages before it. */
function step(event: Positioned, member: string, other: string, change: Step): Change {
  return patch(conversation, { member, other }, (row) =>
    event.position > row.position ? { ...change(row), position: event.position } : row,
  )
}

function opened(event: RecordedEvent<'Matched'>, member: MemberId, other: MemberId): Change {
  const { at, position } = event
  const fresh = { last_number: 0, last_at: null, last_received: 0, read_up_to: 0, other_read_up_to: 0 }
  return fold(conversation, { member, other }, (row) => {
    if (row && position <= row.position) return row
    const { last_number: hidden_up_to } = row ?? fresh
    const room = pairIdOf(member, other)
    return { ...fresh, ...row, member, other, room, open: true, gone: false, opened_at: at, hidden_up_to, position }
  })
}

const closed = (event: RecordedEvent<'Unmatched' | 'Blocked'>): Change[] => {
  const close: Step = (row) => ({ ...row, open: false, gone: false })
  return [step(event, event.by, event.target, close), step(event, event.target, event.by, close)]
}

function sent(event: RecordedEvent<'MessageSent'>): Change[] {
  const { number, from, to, at } = event
  const room = pairIdOf(from, to)
  const sent: Step = (row) => ({ ...row, last_number: number, last_at: at })
  return [
    put(message, {
      room,
      number,
      id: valueOr(event.message, null),
      from_member: from,
      text: valueOr(event.text, null),
      media: valueOr(event.media, null),
      sent_at: at,
    }),
    step(event, from, to, sent),
    step(event, to, from, (row) => ({ ...sent(row), last_received: number })),
  ]
}

const read = (event: RecordedEvent<'MessagesRead'>): Change[] => [
  step(event, event.by, event.other, (row) => ({ ...row, read_up_to: event.number })),
  step(event, event.other, event.by, (row) => ({ ...row, other_read_up_to: event.number })),
]

/** The words of an erased member go; what others wrote to them stays theirs (security §3.3). */
function erased({ member }: EventNamed<'AccountErased'>): Change[] {
  return [
    removeWhere(conversation, { member }),
    updateWhere(conversation, { other: member, open: true }, { open: false, gone: true }),
    updateWhere(message, { from_member: member }, EMPTIED),
  ]
}

/** Rooms and messages. A closed room keeps its rows as evidence (security T34); only queries decide who reads them. */
export const conversations: Projection = {
  name: 'conversations',
  version: 3,
  tables: [conversation, message],
  when: {
    Matched: (event) => {
      const [a, b] = event.members
      return [opened(event, a, b), opened(event, b, a)]
    },
    Unmatched: closed,
    Blocked: closed,
    MessageSent: sent,
    MessagesRead: read,
    AccountErased: erased,
  },
}
