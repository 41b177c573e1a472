import { expect, test } from 'vitest'
import { moveInsideCell, mutualBuzzes, registerAtOnce } from './races.ts'

test('mutual buzzes at once, each sent twice, make exactly one match a pair', async () => {
  const result = await mutualBuzzes({ pairs: 45 })
  expect(result).toEqual({ pairs: 45, calls: 180, matches: 45, matchRows: 90, odd: [] })
})

test('fifty registrations with one proof at once make one member', async () => {
  expect(await registerAtOnce({ calls: 50 })).toMatchObject({ calls: 50, made: 1, refused: 49 })
})

test('moving inside a grid cell leaves the distance that others see as it is, and leaving it does not', async () => {
  const result = await moveInsideCell({ moves: 10 })
  expect(result).toEqual({ moves: 10, accepted: 10, compared: 60, changed: 0, noticed: true })
})
