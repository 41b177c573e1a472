import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAsking } from '../../../app/ui/match/keep-asking.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const STEP_MS = 100

/** When an answer comes that takes so long, where each question gives up the one before; undefined: within two minutes none does. */
function answeredAfter(tookMs: number): number | undefined {
  let dueAt: number | undefined
  const stop = keepAsking(
    () => dueAt !== undefined,
    () => {
      dueAt = performance.now() + tookMs
    },
  )
  const since = performance.now()
  while (dueAt && performance.now() < dueAt && performance.now() - since < 120_000) vi.advanceTimersByTime(STEP_MS)
  stop()
  return dueAt && performance.now() >= dueAt ? performance.now() - since : undefined
}

test.each([400, 3_600, 5_000, 9_000, 20_000])('an answer that takes %i ms comes in the end', (tookMs) => {
  expect(answeredAfter(tookMs)).toBeLessThan(4 * tookMs + 4_000)
})
