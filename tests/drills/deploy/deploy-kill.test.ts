import { expect, test } from 'vitest'
import { deployKillDrill } from './deploy-kill.ts'

test('two releases, poison in every stream and deaths of who feeds them leave right rows, and nothing of who was erased', async () => {
  const result = await deployKillDrill({ releases: 2, deaths: 1, handovers: 0, synced: false, pauseMs: 500 })
  expect(result).toMatchObject({ releases: 2, wrong: [], missing: [], early: 0, certificates: 1, found: [] })
  expect(result.handovers).toBeGreaterThan(1)
})
