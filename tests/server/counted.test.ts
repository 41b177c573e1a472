import { expect, test } from 'vitest'
import { counted } from '../../server/tools/counted.ts'

test('one is counted as one, none and several as several', () => {
  expect([0, 1, 2, 1200].map((count) => counted(count, 'session'))).toEqual([
    '0 sessions',
    '1 session',
    '2 sessions',
    '1,200 sessions',
  ])
  expect([1, 3].map((count) => counted(count, 'match', 'matches'))).toEqual(['1 match', '3 matches'])
})
