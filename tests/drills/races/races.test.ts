import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveInsideCell, mutualBuzzes, type Rig, registerAtOnce, startRig } from './races.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.world.stop())

test('mutual buzzes at once, each sent twice, make exactly one match a pair', async () => {
  const result = await mutualBuzzes({ pairs: 15 }, rig)
  expect(result).toEqual({ pairs: 15, calls: 60, matches: 15, matchRows: 30, odd: [] })
})

test('a dozen registrations with one proof at once make one member', async () => {
  expect(await registerAtOnce({ calls: 12 }, rig)).toMatchObject({ calls: 12, made: 1, refused: 11 })
})

test('moving inside a grid cell leaves the distance that others see as it is, and leaving it does not', async () => {
  const result = await moveInsideCell({ moves: 5 }, rig)
  expect(result).toEqual({ moves: 5, accepted: 5, compared: 30, changed: 0, noticed: true })
})
