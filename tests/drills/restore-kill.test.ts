import { expect, test } from 'vitest'
import { restoreKillDrill } from './restore-kill.ts'

test('six kills of backups and restores leave no half one, and what comes back differs in no row', async () => {
  const result = await restoreKillDrill({ kills: 6, members: 4 })
  expect(result.cut).toBeGreaterThan(0)
  expect(result).toMatchObject({ kills: 6, half: 0, differing: 0, back: 0 })
})
