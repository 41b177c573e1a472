import { expect, test } from 'vitest'
import { isMessageMediaFor } from '../../projections/conversations/media.ts'
import { ann, bea, matched, mediaId, messageSent, minute, unmatched } from '../support/people.ts'
import { readOfTests } from '../support/read-of-tests.ts'

const { having } = readOfTests(['Ann', 'Bea', 'Cat'])

test('what was sent before a second match is no file of the room any more', async () => {
  const sent = { ...messageSent(bea, ann, 1, ''), media: mediaId('chat') }
  const first = [...matched(ann, bea), sent]
  expect(await isMessageMediaFor(await having(...first), ann, bea, mediaId('chat'))).toBe(true)
  const again = [...first, unmatched(ann, bea), ...matched(bea, ann, minute(10))]
  expect(await isMessageMediaFor(await having(...again), ann, bea, mediaId('chat'))).toBe(false)
})

test('what somebody erased sent is no file of the room, although its row still names it', async () => {
  const sent = { ...messageSent(bea, ann, 1, ''), media: mediaId('chat') }
  const db = await having(...matched(ann, bea), sent)
  expect(await isMessageMediaFor(db, ann, bea, mediaId('chat'))).toBe(true)
  await db.updateTable('conversation').set({ open: false, gone: true }).where('other', '=', bea).execute()
  expect(await isMessageMediaFor(db, ann, bea, mediaId('chat'))).toBe(false)
})
