import { expect, test } from 'vitest'
import { ann, bea, matched, mediaId, messageSent, minute, unmatched } from '../support/people.ts'
import { readOfTests } from '../support/read-of-tests.ts'
import { mayFetch } from './fetched-media.ts'

const { having } = readOfTests(['Ann', 'Bea', 'Cat'])
const file = { id: mediaId('chat'), owner: bea, purpose: 'chat', isBlurred: false, originalId: null } as const

test('what was sent before a second match is no file of the room any more', async () => {
  const sent = { ...messageSent(bea, ann, 1, ''), media: mediaId('chat') }
  const first = [...matched(ann, bea), sent]
  expect(await mayFetch(await having(...first), ann, file)).toBe(true)
  const again = [...first, unmatched(ann, bea), ...matched(bea, ann, minute(10))]
  expect(await mayFetch(await having(...again), ann, file)).toBe(false)
})

test('what somebody erased sent is no file of the room, although its row still names it', async () => {
  const sent = { ...messageSent(bea, ann, 1, ''), media: mediaId('chat') }
  const db = await having(...matched(ann, bea), sent)
  expect(await mayFetch(db, ann, file)).toBe(true)
  await db.updateTable('conversation').set({ open: false, gone: true }).where('other', '=', bea).execute()
  expect(await mayFetch(db, ann, file)).toBe(false)
})
