import { expect, test } from 'vitest'
import { engineSeams } from './engine-seams.ts'

test('projectors and rebuilds that die at any seam leave rows equal to a fold of the log at their checkpoint', async () => {
  const result = await engineSeams({ projector: 6, rebuild: 4 })
  expect(result.points).toBeGreaterThan(4)
  expect(result).toMatchObject({ projectorKills: 6, rebuildKills: 4, wrong: [] })
})
