import { expect, test } from 'vitest'
import { offeredAges } from '../../domain/profile/offered.ts'

test('ages from eight years younger to eight years older are offered, as far as they may be chosen', () => {
  expect([20, 32, 96].map(offeredAges)).toEqual([
    [18, 28],
    [24, 40],
    [88, 100],
  ])
})
