import { describe, expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import { message } from '../../projections/conversations/message-table.ts'
import { conversations } from '../../projections/conversations/project.ts'
import { findMessage, findRoom, listConversations, listMessages } from '../../projections/conversations/queries.ts'
import { countUnread } from '../../projections/conversations/unread.ts'
import { cursorFrom } from '../../projections/paging.ts'
import {
  ann,
  bea,
  blocked,
  cat,
  erased,
  matched,
  messageSent,
  minute,
  T0,
  unblocked,
  unmatched,
} from '../support/people.ts'
import { project } from '../support/project.ts'
import { readOfTests } from '../support/read-of-tests.ts'
import { recorded } from '../support/recorded.ts'

const { having } = readOfTests(['Ann', 'Bea', 'Cat'])
const readUpTo = (by: MemberId, other: MemberId, number: number): DomainEvent => ({
  type: 'MessagesRead',
  by,
  other,
  upTo: `m-${number}` as MessageId,
  number,
  at: minute(number),
})
const conversation = [
  ...matched(ann, bea),
  messageSent(ann, bea, 1, 'Hi'),
  messageSent(bea, ann, 2, 'Hello'),
  messageSent(bea, ann, 3, 'You?'),
]
const texts = (page: Awaited<ReturnType<typeof listMessages>>) => page?.messages.map(({ text }) => text)

test('a match opens a room before any message is sent', async () => {
  const db = await having(...matched(ann, bea))
  expect((await listConversations(db, ann)).items).toEqual([
    {
      id: bea,
      firstName: 'Bea',
      lastName: 'Beason',
      avatar: '/media/mbea1zzzzzzzzzzzzzzzzzzz',
      gone: false,
      roomId: pairIdOf(ann, bea),
      unread: 0,
      matchedAt: T0.toISOString(),
      last: null,
    },
  ])
  expect(await listMessages(db, ann, bea)).toEqual({ messages: [], before: null })
})

test('messages come newest first in the shape of the contract', async () => {
  const db = await having(...conversation)
  expect(texts(await listMessages(db, ann, bea))).toEqual(['You?', 'Hello', 'Hi'])
  expect((await listMessages(db, bea, ann))?.messages.at(-1)).toEqual({
    id: 'm-1',
    number: 1,
    roomId: pairIdOf(ann, bea),
    from: ann,
    to: bea,
    text: 'Hi',
    time: minute(1).toISOString(),
  })
})

test('older messages follow page by page to the end', async () => {
  const db = await having(...conversation)
  const first = await listMessages(db, ann, bea, { limit: 2 })
  expect([texts(first), first?.before]).toEqual([['You?', 'Hello'], 'm-2'])
  const second = await listMessages(db, ann, bea, { limit: 2, before: 'm-2' as MessageId })
  expect([texts(second), second?.before]).toEqual([['Hi'], null])
})

test('an id that both sides used stands for the first of its messages, and both are listed', async () => {
  const doubled = { ...messageSent(bea, ann, 4, 'Mine too'), message: 'm-2' as MessageId }
  const db = await having(...conversation, doubled as DomainEvent, messageSent(ann, bea, 5, 'Well'))
  expect(texts(await listMessages(db, ann, bea))).toEqual(['Well', 'Mine too', 'You?', 'Hello', 'Hi'])
  expect(await findMessage(db, ann, bea, 'm-2' as MessageId)).toMatchObject({ number: 2, message: { text: 'Hello' } })
  expect(texts(await listMessages(db, ann, bea, { before: 'm-2' as MessageId }))).toEqual(['Hi'])
})

test('what the other wrote is unread until read, what one wrote oneself never is', async () => {
  const db = await having(...conversation)
  expect(await countUnread(db, ann)).toEqual({ total: 2, byUser: { [bea]: 2 } })
  expect(await countUnread(db, bea)).toEqual({ total: 1, byUser: { [ann]: 1 } })
})

test('reading up to a message leaves the later ones unread and shows the other side', async () => {
  const db = await having(...conversation, readUpTo(ann, bea, 2))
  expect(await countUnread(db, ann)).toEqual({ total: 1, byUser: { [bea]: 1 } })
  expect((await findRoom(db, bea, ann))?.otherReadUpTo).toBe('m-2')
  expect(await findRoom(db, ann, bea)).toMatchObject({ readUpTo: 'm-2', unread: 1 })
})

test('rooms are found by name and ordered by their last word', async () => {
  const later = messageSent(cat, ann, 1, 'Hey', minute(9))
  const db = await having(...conversation, ...matched(ann, cat), later)
  expect((await listConversations(db, ann)).items.map(({ firstName }) => firstName)).toEqual(['Cat', 'Bea'])
  expect((await listConversations(db, ann, { search: ' bEA b' })).items.map(({ id }) => id)).toEqual([bea])
  expect((await listConversations(db, ann, { search: '%' })).items).toEqual([])
})

test('rooms follow page by page, the latest message first', async () => {
  const db = await having(...conversation, ...matched(ann, cat), messageSent(cat, ann, 1, 'Hey', minute(9)))
  const one = await listConversations(db, ann, { limit: 1 })
  const two = await listConversations(db, ann, { limit: 1, after: cursorFrom(one.next) })
  expect([one, two].map(({ items }) => items.map(({ firstName }) => firstName))).toEqual([['Cat'], ['Bea']])
  expect(two.next).toBeNull()
})

test('the list shows eighty characters of the last message', async () => {
  const db = await having(...matched(ann, bea), messageSent(bea, ann, 1, '🙂'.repeat(90)))
  expect([...((await listConversations(db, ann)).items[0]?.last?.text ?? '')].length).toBe(80)
})

describe.each([
  ['unmatched', unmatched(bea, ann)],
  ['blocked by the reader', blocked(ann, bea)],
  ['blocked by the other', blocked(bea, ann)],
  ['left by deactivation', { type: 'AccountDeactivated', member: bea, at: T0 } as const],
  ['left by suspension', { type: 'AccountSuspended', member: bea, reason: '', at: T0 } as const],
])('a room %s', (_what, event) => {
  test('is not listed, read or counted', async () => {
    const db = await having(...conversation, event)
    expect((await listConversations(db, ann)).items).toEqual([])
    expect(await listMessages(db, ann, bea)).toBeNull()
    expect(await findMessage(db, ann, bea, 'm-1' as MessageId)).toBeNull()
    expect(await countUnread(db, ann)).toEqual({ total: 0, byUser: {} })
  })
})

test('nobody reads the room of two others', async () => {
  const db = await having(...conversation)
  expect(await listMessages(db, cat, bea)).toBeNull()
  expect(await findMessage(db, cat, ann, 'm-1' as MessageId)).toBeNull()
})

test('a second match opens the same room without the messages from before', async () => {
  const again = [unmatched(ann, bea), ...matched(bea, ann, minute(10)), messageSent(ann, bea, 4, 'Again', minute(11))]
  const db = await having(...conversation, ...again)
  expect(texts(await listMessages(db, ann, bea))).toEqual(['Again'])
  expect(await findMessage(db, ann, bea, 'm-1' as MessageId)).toBeNull()
  expect(await countUnread(db, ann)).toEqual({ total: 0, byUser: {} })
  expect(await countUnread(db, bea)).toEqual({ total: 1, byUser: { [ann]: 1 } })
})

test('an unblock alone does not open the room', async () => {
  const db = await having(...conversation, blocked(ann, bea), unblocked(ann, bea))
  expect(await listMessages(db, bea, ann)).toBeNull()
})

test('an erased member leaves the room readable, without name and words', async () => {
  const db = await having(...conversation, erased(bea))
  expect((await listConversations(db, ann)).items).toMatchObject([
    { id: bea, firstName: 'Deleted member', lastName: '', avatar: null, gone: true, unread: 0 },
  ])
  const page = await listMessages(db, ann, bea)
  expect(page?.messages.map(({ text, deleted }) => [text, deleted])).toEqual([
    ['', true],
    ['', true],
    ['Hi', undefined],
  ])
  expect((await listConversations(db, bea)).items).toEqual([])
  const ids = page?.messages.map(({ id }) => id) ?? []
  expect([new Set(ids).size, ids.includes('m-1' as MessageId), ids.includes('m-2' as MessageId)]).toEqual([
    3,
    true,
    false,
  ])
})

test('a room closed before the erasure stays closed', async () => {
  const db = await having(...conversation, unmatched(bea, ann), erased(bea))
  expect((await listConversations(db, ann)).items).toEqual([])
  expect(await listMessages(db, ann, bea)).toBeNull()
})

test('closed rooms keep their messages as evidence', () => {
  expect(project(conversations, recorded(...conversation, blocked(ann, bea))).rows(message)).toHaveLength(3)
})
