import { expect, test } from 'vitest'
import { programKillDrill } from './program-kill.ts'

test('three kills of the whole program, each of which it comes back from by itself, lose and double no acknowledged command', async () => {
  const result = await programKillDrill({ kills: 3, members: 5, seconds: 0.5 })
  expect(result.buzzes).toBeGreaterThan(2)
  expect(result.messages).toBeGreaterThan(2)
  for (const { longest } of Object.values(result.restartMs)) expect(longest).toBeGreaterThan(0)
  expect(result).toMatchObject({ kills: 3, lost: 0, doubled: 0, wrong: [] })
})
