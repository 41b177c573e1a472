import { expect, test } from 'vitest'
import { restoreKillDrill } from './restore-kill.ts'

test('backups and restores that die at four of their seams leave no half one, and what comes back differs in no row', async () => {
  const result = await restoreKillDrill({ kills: 4, members: 4, at: 'seams' })
  expect(result.points).toBeGreaterThan(3)
  expect(result).toMatchObject({ kills: 4, cut: 4, half: 0, differing: 0, back: 0 })
})
