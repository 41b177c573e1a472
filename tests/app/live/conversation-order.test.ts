import { expect, test } from 'vitest'
import { addArrived, type HistoryPage } from '../../../app/routes/chat.$userId/known-messages.ts'

const message = (number: number) => ({
  id: `m${number}`,
  number,
  from: 'bea',
  text: `${number}`,
  time: '2026-03-01T12:00:00Z',
})
const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => message(first + n))
/** A page of the loader's, as long as there is something before it. */
const pageOf = (first: number, last: number): HistoryPage => ({
  messages: upTo(first, last),
  earlier: first > 1 ? `m${first}` : null,
})
const NOTHING = { older: undefined, live: [] }
const shown = ({ messages, earlier }: HistoryPage) => [messages.map(({ number }) => number), earlier]
const numbers = (first: number, last: number) => upTo(first, last).map(({ number }) => number)

test('what came live longer ago than the page of the loader reaches comes before it', () => {
  const page = pageOf(61, 110)
  const known = addArrived(pageOf(1, 50), { page, older: undefined, live: upTo(51, 110) })
  expect(shown(known)).toEqual([numbers(1, 110), null])
  expect(shown(addArrived(page, { page, older: undefined, live: upTo(51, 110) }))[0]).toEqual(numbers(51, 110))
})

test('earlier messages stay while the page of the loader moves on', () => {
  const first = pageOf(21, 70)
  const older = pageOf(1, 20)
  const all = addArrived(first, { page: first, older, live: [] })
  expect(shown(all)).toEqual([numbers(1, 70), null])
  const moved = addArrived(all, { page: pageOf(36, 85), older, live: [] })
  expect(shown(moved)).toEqual([numbers(1, 85), null])
})

test('the next earlier page begins where the messages do', () => {
  const first = pageOf(71, 120)
  const all = addArrived(first, { page: first, older: pageOf(21, 70), live: [] })
  expect(shown(all)).toEqual([numbers(21, 120), 'm21'])
  expect(shown(addArrived(all, { page: pageOf(81, 130), older: pageOf(21, 70), live: upTo(121, 130) }))).toEqual([
    numbers(21, 130),
    'm21',
  ])
})

test('a page after a long absence leaves no hole: what is before it is fetched again', () => {
  const absent = addArrived(pageOf(1, 50), { page: pageOf(151, 200), ...NOTHING })
  expect(shown(absent)).toEqual([numbers(151, 200), 'm151'])
  const older = pageOf(101, 150)
  expect(shown(addArrived(absent, { page: pageOf(151, 200), older, live: [] }))).toEqual([numbers(101, 200), 'm101'])
})

test('the newest word on a message counts: one whose author was erased loses its words', () => {
  const page = { messages: [{ ...message(1), text: '', deleted: true as const }], earlier: null }
  const known = addArrived(pageOf(1, 2), { page, older: undefined, live: upTo(1, 2) })
  expect(known.messages.map(({ text }) => text)).toEqual(['', '2'])
})
