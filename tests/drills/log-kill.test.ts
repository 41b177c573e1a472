import { expect, test } from 'vitest'
import { logKillDrill } from './log-kill.ts'

test('three kills of the log server under load lose and double no acknowledged append', async () => {
  const result = await logKillDrill({ kills: 3, seconds: 0.4 })
  expect(result.acknowledged).toBeGreaterThan(10)
  expect(result).toMatchObject({ kills: 3, lost: 0, doubled: 0, gaps: 0 })
})
