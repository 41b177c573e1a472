import { expect, test } from 'vitest'
import { projectorKillDrill } from './projector-kill.ts'

test('five kills of concurrent projectors under load leave read models equal to a fold of the log', async () => {
  const result = await projectorKillDrill({ kills: 5, seconds: 0.4 })
  expect(result.events).toBeGreaterThan(10)
  expect(result).toMatchObject({ kills: 5, wrong: [], quarantined: 0 })
})
