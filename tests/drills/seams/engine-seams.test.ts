import { expect, test } from 'vitest'
import { engineSeams } from './engine-seams.ts'

test('projectors and rebuilds that die at any seam leave rows equal to a fold of the log at their checkpoint', async () => {
  const result = await engineSeams({ projector: 3, rebuild: 1 })
  expect(result.points).toBeGreaterThan(2)
  expect(result).toMatchObject({ projectorKills: 3, rebuildKills: 1, wrong: [] })
})
