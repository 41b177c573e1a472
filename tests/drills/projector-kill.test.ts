import { expect, test } from 'vitest'
import { projectorKillDrill } from './projector-kill.ts'

test('two kills of concurrent projectors under load leave read models equal to a fold of the log', async () => {
  const result = await projectorKillDrill({ kills: 2, seconds: 0.4 })
  expect(result.events).toBeGreaterThan(10)
  expect(result).toMatchObject({ kills: 2, wrong: [], quarantined: 0 })
})
