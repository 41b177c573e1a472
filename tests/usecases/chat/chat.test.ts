import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaId, MessageId } from '../../../domain/shared/ids.ts'
import { markRead } from '../../../usecases/chat/mark-read.ts'
import { sendMessage } from '../../../usecases/chat/send-message.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
let ann: Person
let bea: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await world.match(ann, bea)
  await world.settled()
})
afterAll(() => world.stop())

const messageId = (id: string) => id as MessageId
const sends = (from: Person, to: Person, id: string, text: string) =>
  sendMessage(as(world, from), { to: to.id, id: messageId(id), text })

test('a message is sent, and the same id again answers the first one', async () => {
  const first = await sends(ann, bea, 'one', ' Hello ')
  expect(first).toMatchObject({ value: { message: { text: 'Hello', number: 1, from: ann.id, to: bea.id } } })
  expect(await sends(ann, bea, 'one', 'Hello')).toEqual(first)
  expect(await sends(ann, bea, 'one', 'In other words')).toEqual(first)
})

test('an id is one message of its room: the other side cannot use it again', async () => {
  await sends(ann, bea, 'mine', 'Mine')
  expect(await sends(bea, ann, 'mine', 'No, mine')).toEqual({ ok: false, reason: 'reused' })
})

test('a repeat is answered after the limit too, a new message is not', async () => {
  const first = await sends(ann, bea, 'in-time', 'Hello')
  const late = (id: string, who = ann, to = bea) =>
    sendMessage(tooFast(world, who), { to: to.id, id: messageId(id), text: 'Hello' })
  expect(await late('in-time')).toEqual(first)
  expect(await late('too-late')).toEqual(SLOW_DOWN)
  expect(await late('in-time', bea, ann)).toEqual({ ok: false, reason: 'reused' })
  expect(await late('in-time', ann, ann)).toEqual(SLOW_DOWN)
})

test('a message has at most 4,000 characters, an emoji being one', async () => {
  const longest = '🙂'.repeat(4_000)
  expect(await sends(ann, bea, 'long', longest)).toMatchObject({ value: { message: { text: longest } } })
  expect(await sends(ann, bea, 'longer', `${longest}!`)).toEqual({ ok: false, reason: 'too-long' })
})

test('a message of nothing that can be seen is empty; marks of direction stay inside of words', async () => {
  for (const unseen of ['\u200b', '\u202e\u2060', ' \ufeff\n'])
    expect(await sends(ann, bea, 'unseen', unseen)).toMatchObject({ reason: 'empty' })
  expect(await sends(ann, bea, 'marked', 'a\u200fb')).toMatchObject({ value: { message: { text: 'a\u200fb' } } })
})

test('a message is refused with its reason', async () => {
  const cat = await world.member('Cat')
  expect(await sends(ann, cat, 'x', 'Hello')).toEqual({ ok: false, reason: 'not-matched' })
  expect(await sends(ann, bea, 'x', '  ')).toMatchObject({ reason: 'empty' })
  expect(await sends(ann, bea, 'x', 'y'.repeat(4_001))).toEqual({ ok: false, reason: 'too-long' })
  const media = 'm'.repeat(24) as MediaId
  const withMedia = { to: bea.id, id: messageId('x'), text: 'Look', media }
  expect(await sendMessage(as(world, ann), withMedia)).toEqual({ ok: false, reason: 'invalid-media' })
  expect(await sendMessage(tooFast(world, ann), withMedia)).toEqual(SLOW_DOWN)
})

test('a room is read up to a message of it, twice without a trace', async () => {
  await sends(ann, bea, 'two', 'Read me')
  await world.settled()
  const reads = (by: Person, other: Person, upTo: string) =>
    markRead(as(world, by), { other: other.id, upTo: messageId(upTo) })
  for (const _ of [1, 2]) expect(await reads(bea, ann, 'two')).toMatchObject({ ok: true })
  const room = await world.core.log.read(`pair-${[ann.id, bea.id].sort().join('_')}`)
  expect(room.filter(({ type }) => type === 'MessagesRead')).toHaveLength(1)
  expect(await reads(bea, ann, 'never sent')).toEqual({ ok: false, reason: 'unknown-message' })
  expect(await reads(await world.member('Eve'), ann, 'two')).toEqual({ ok: false, reason: 'unknown-message' })
})
