import { expect, test, vi } from 'vitest'
import { Allowance } from '../../realtime/allowance.ts'
import { LIMITS } from '../../realtime/limits.ts'

test('the third bad frame of a minute is the one too many, whenever in the minute it comes (api-contract §6.8)', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const allowance = new Allowance(LIMITS)
  const taken = [0, 1_000, 40_000].map((at) => {
    now = at
    return allowance.badFrame()
  })
  clock.mockRestore()
  expect(taken).toEqual([true, true, false])
})
