import { expect, test } from 'vitest'
import { realtimeKillDrill } from './realtime-kill.ts'

test('two kills of realtime nodes while members write lose, double and reorder nothing', async () => {
  const result = await realtimeKillDrill({ kills: 2 })
  expect(result.expected).toBeGreaterThan(10)
  expect(result).toMatchObject({ kills: 2, missed: 0, doubled: 0, outOfOrder: 0, resyncs: 0 })
})

test('the same drill finds what clients lose that do not say where they were', async () => {
  const result = await realtimeKillDrill({ kills: 1, resume: false })
  expect(result.missed).toBeGreaterThan(0)
})
