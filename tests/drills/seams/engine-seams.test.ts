import { expect, test } from 'vitest'
import { engineSeams } from './engine-seams.ts'

test('projectors and rebuilds that die at any seam leave rows equal to a fold of the log at their checkpoint', async () => {
  const result = await engineSeams({ projector: 2, rebuild: 1 })
  expect(result.points).toBeGreaterThan(4)
  const rebuilds = { fill: 1, index: 1, verify: 1, swap: 1 }
  expect(result).toMatchObject({ kills: { projector: 2, ...rebuilds }, wrong: [] })
})
