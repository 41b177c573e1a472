import { expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import type { MemberId, NotificationId } from '../../domain/shared/ids.ts'
import { notifications } from '../../projections/notifications/project.ts'
import {
  findNotification,
  getNotificationCounts,
  listNotifications,
  wordsOf,
} from '../../projections/notifications/queries.ts'
import { notification } from '../../projections/notifications/table.ts'
import {
  ann,
  bea,
  blocked,
  buzzed,
  cat,
  dan,
  erased,
  joined,
  matched,
  minute,
  T0,
  unmatched,
} from '../support/people.ts'
import { project } from '../support/project.ts'
import { readOfTests } from '../support/read-of-tests.ts'
import { positionAt, recorded } from '../support/recorded.ts'

const read = readOfTests(['Ann', 'Bea', 'Cat', 'Dan'])
const { having } = read
const rowsAfter = (...events: DomainEvent[]) => project(notifications, recorded(...events)).rows(notification)
const messages = async (member: MemberId) => (await listNotifications(read.db(), member)).map(({ message }) => message)

test('a buzz notifies the other who wants to match', async () => {
  const db = await having(buzzed(ann, bea))
  const [only, ...rest] = await listNotifications(db, bea)
  expect(rest).toEqual([])
  expect(only).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{24}$/),
    type: 'buzz',
    subtype: 'match_request',
    read: false,
    fromId: ann,
    message: 'Ann wants to match with you',
    createdAt: T0.toISOString(),
    href: `/viewprofile/${ann}`,
  })
  expect(await messages(ann)).toEqual([])
})

test('a match takes the place of the request that it answers, and is news to who waited for it alone', async () => {
  const db = await having(...matched(ann, bea))
  const shown = async (member: MemberId) =>
    (await listNotifications(db, member)).map(({ type, message, read }) => [type, message, read])
  expect(await shown(ann)).toEqual([['match', 'You matched with Bea', false]])
  expect(await shown(bea)).toEqual([['match', 'You matched with Ann', true]])
})

test('a request that was removed before it was answered is a match in the centre all the same', async () => {
  const [request] = rowsAfter(buzzed(ann, bea))
  const removed: DomainEvent = {
    type: 'NotificationRemoved',
    member: bea,
    notification: request!.id as NotificationId,
    at: T0,
  }
  const [first, ...rest] = matched(ann, bea)
  const rows = rowsAfter(first!, removed, ...rest).filter(({ recipient }) => recipient === bea)
  expect(rows.map(({ type, from_member }) => [type, from_member])).toEqual([['match', ann]])
})

test('the badge is the unread buzzes, and the total when there are none', async () => {
  const db = await having(...matched(bea, ann), buzzed(cat, ann), buzzed(dan, ann))
  expect(await getNotificationCounts(db, ann)).toEqual({ total: 2, buzz: 2, match: 0 })
  expect(await getNotificationCounts(db, bea)).toEqual({ total: 1, buzz: 0, match: 1 })
  expect((await listNotifications(db, ann)).map(({ type }) => type)).toEqual(['buzz', 'buzz', 'match'])
})

test('a new name shows in old notifications', async () => {
  const renamed: DomainEvent = { type: 'NameChanged', member: ann, firstName: 'Anna', lastName: '', at: T0 }
  await having(buzzed(ann, bea), renamed)
  expect(await messages(bea)).toEqual(['Anna wants to match with you'])
})

test('a withdrawn buzz takes its notification away', () => {
  expect(rowsAfter(buzzed(ann, bea), { type: 'BuzzWithdrawn', from: ann, to: bea, at: T0 })).toEqual([])
})

test.each([
  ['a block', blocked(bea, ann)],
  ['being blocked', blocked(ann, bea)],
  ['an unmatch', unmatched(ann, bea)],
  ['an erasure', erased(ann)],
])('%s removes what either sent the other, and nothing else', (_what, event) => {
  const rows = rowsAfter(buzzed(cat, bea), ...matched(ann, bea), event)
  expect(rows.map((row) => [row.recipient, row.from_member])).toEqual([[bea, cat]])
})

test('a deactivated sender is out of the list and the counts until they return', async () => {
  const left: DomainEvent = { type: 'AccountDeactivated', member: ann, at: T0 }
  const db = await having(buzzed(ann, bea), left)
  expect([await messages(bea), (await getNotificationCounts(db, bea)).total]).toEqual([[], 0])
  await having(buzzed(ann, bea), left, { type: 'AccountReactivated', member: ann, at: T0 })
  expect(await messages(bea)).toEqual(['Ann wants to match with you'])
})

test('one is read, all are read up to a position in the log, and the removed one is gone', () => {
  const [first, second] = rowsAfter(buzzed(ann, dan), buzzed(bea, dan)).map(({ id }) => id as NotificationId)
  const history = [buzzed(ann, dan), buzzed(bea, dan), buzzed(cat, dan)]
  const readBy = (...events: DomainEvent[]) => rowsAfter(...history, ...events).filter((row) => row.read_at !== null)
  const inbox = { member: dan, at: minute(1) }
  expect(readBy({ type: 'NotificationRead', ...inbox, notification: first! }).map(({ id }) => id)).toEqual([first])
  const all: DomainEvent = { type: 'AllNotificationsRead', ...inbox, upTo: positionAt(2), notifications: null }
  const sendersIn = (event: DomainEvent) => readBy(event).map(({ from_member }) => from_member)
  expect(sendersIn(all).sort()).toEqual([ann, bea])
  // A position of another log is none of this one.
  for (const upTo of [positionAt(0), positionAt(99)])
    expect(readBy({ ...all, upTo, notifications: [first!] }).map(({ id }) => id)).toEqual([first])
  const removed: DomainEvent = { type: 'NotificationRemoved', ...inbox, notification: second! }
  expect(rowsAfter(...history, removed).map(({ id }) => id)).not.toContain(second)
})

test('a notification is found by its owner alone', async () => {
  const db = await having(buzzed(ann, bea))
  const id = (await listNotifications(db, bea))[0]?.id as NotificationId
  expect((await findNotification(db, bea, id))?.id).toBe(id)
  expect(await findNotification(db, ann, id)).toBeNull()
})

test('the newest two hundred are listed, and a chip lists its type alone', async () => {
  const senders = Array.from({ length: 205 }, (_, n) => joined(`S${n}`))
  const buzzes = senders.map(([first]) => buzzed((first as { member: MemberId }).member, ann))
  const db = await having(...senders.flat(), ...buzzes, ...matched(bea, ann))
  const list = await listNotifications(db, ann)
  expect([list.length, list[0]?.type]).toEqual([200, 'match'])
  expect((await listNotifications(db, ann, { type: 'match' })).map(({ fromId }) => fromId)).toEqual([bea])
})

test('a buzz between matches has words of its own', () => {
  expect(wordsOf({ type: 'buzz', subtype: 'buzz' }, 'Ann')).toBe('Ann buzzed you')
})
