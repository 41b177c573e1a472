import { expect, test } from 'vitest'
import { tagsOf } from '../../../app/ui/lists/use-tags.ts'
import { presenceWords } from '../../../app/ui/social/presence-words.ts'
import { topOf } from '../../../app/ui/social/reaction-counts.ts'
import { filledDays } from '../../../app/ui/social/streak-days.ts'

const people = ['Ann', 'Bea', 'Cleo', 'Dan'].map((name) => ({ name }))

test.each([
  [0, 'Nobody is nearby'],
  [1, 'Ann is nearby'],
  [2, 'Ann and Bea are nearby'],
  [3, 'Ann, Bea and Cleo are nearby'],
  [4, 'Ann, Bea and 2 others are nearby'],
  [128, 'Ann, Bea and 126 others are nearby'],
])('who is nearby of %i is put into words', (total, words) => {
  expect(presenceWords(people, total, 'nearby').replace(/,(?= and)/, '')).toBe(words)
})

test.each([
  ['one without a name', [], 1, '1 is nearby'],
  ['some without names', [], 5, '5 are nearby'],
  ['one of two named', people.slice(0, 1), 2, 'Ann and 1 other are nearby'],
])('of %s the words are a number', (_who, named, total, words) => {
  expect(presenceWords(named, total, 'nearby')).toBe(words)
})

test('a ring is full on the day that fills it, and begins again on the next', () => {
  expect([0, 1, 6, 7, 8, 14].map((days) => filledDays(days, true))).toEqual([0, 1, 6, 7, 1, 7])
  expect([0, 1, 6, 7, 8, 14].map((days) => filledDays(days, false))).toEqual([0, 1, 6, 0, 1, 0])
})

test('tags are words between commas or lines, each once however it is written', () => {
  expect(tagsOf(' Sea  swimming, sauna,,SAUNA\nchess ')).toEqual(['Sea swimming', 'sauna', 'chess'])
  expect(tagsOf('Chess, go', ['chess'])).toEqual(['chess', 'go'])
})

test('the three most frequent reactions stand for all', () => {
  const reactions = ['heart', 'laugh', 'sad', 'fire'].map((value) => ({ value }))
  const { total, top } = topOf(reactions, { heart: 2, laugh: 5, sad: 1, fire: 9 })
  expect([total, ...top.map(({ value }) => value)]).toEqual([17, 'fire', 'laugh', 'heart'])
  expect(topOf(reactions, {}).total).toBe(0)
})
