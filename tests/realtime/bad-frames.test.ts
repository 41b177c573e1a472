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

test('within any minute a socket joins no more rooms and registers no more often than a minute allows', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  const allowance = new Allowance(LIMITS)
  const passed = { joinRoom: 0, register: 0 }
  for (now = 0; now < 59_000; now += 250)
    for (const type of ['joinRoom', 'register'] as const) if (allowance.waitFor(type) === 0) passed[type]++
  const waitMs = allowance.waitFor('joinRoom')
  now = 60_000
  const later = allowance.waitFor('joinRoom')
  clock.mockRestore()
  expect(passed).toEqual({ joinRoom: LIMITS.roomsPerMinute, register: LIMITS.registersPerMinute })
  expect([waitMs, later]).toEqual([1_000, 0])
})
