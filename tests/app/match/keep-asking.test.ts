import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAsking } from '../../../app/ui/match/keep-asking.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** When an answer comes that takes so long, where each question gives up the one before; undefined: within two minutes none does. */
function answeredAfter(tookMs: number): number | undefined {
  const since = performance.now()
  let answer: ReturnType<typeof setTimeout> | undefined
  let at: number | undefined
  const stop = keepAsking(
    () => answer !== undefined,
    () => {
      clearTimeout(answer)
      answer = setTimeout(() => {
        at ??= performance.now() - since
        stop()
      }, tookMs)
    },
  )
  vi.advanceTimersByTime(120_000)
  stop()
  return at
}

test.each([400, 3_600, 5_000, 9_000, 20_000])('an answer that takes %i ms comes in the end', (tookMs) => {
  expect(answeredAfter(tookMs)).toBeLessThan(4 * tookMs + 4_000)
})
