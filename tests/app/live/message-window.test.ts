import { expect, test } from 'vitest'
import { IN_THE_PAGE, spanOf } from '../../../app/routes/chat.$userId/use-message-window.ts'

const messages = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => ({
    id: `m${first + n}`,
    number: first + n,
    from: 'bea',
    text: '',
    time: '2026-03-01T12:00:00Z',
  }))
const ends = (all: ReturnType<typeof messages>, top: number | null) => {
  const { shown, hasBefore, hasAfter } = spanOf(all, top)
  return [shown[0]?.number, shown.at(-1)?.number, hasBefore, hasAfter]
}

test('who reads along has the newest messages in the page', () => {
  expect(ends([], null)).toEqual([undefined, undefined, false, false])
  expect(ends(messages(11, 60), null)).toEqual([11, 60, false, false])
  expect(ends(messages(1, 1_000), null)).toEqual([1_001 - IN_THE_PAGE, 1_000, true, false])
})

test('who scrolled up has those from there on, and no more than fit', () => {
  expect(ends(messages(1, 1_000), 400)).toEqual([400, 399 + IN_THE_PAGE, true, true])
  expect(ends(messages(1, 1_000), 950)).toEqual([950, 1_000, true, false])
  expect(ends(messages(1, 60), 1)).toEqual([1, 60, false, false])
})

test('where what was read left the page after a long absence, it begins with what is there', () => {
  expect(ends(messages(901, 950), 400)).toEqual([901, 950, false, false])
  expect(ends(messages(1, 50), 400)).toEqual([1, 50, false, false])
})
