// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MatchOverlay } from '../../app/ui/match/match-overlay.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  document.body.innerHTML = '<main></main>'
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** When the scene was asked for within half a minute, in milliseconds, where each question is answered like this. */
async function askedWhen(answer: () => Promise<null>): Promise<number[]> {
  const asked: number[] = []
  const start = Date.now()
  const loader = () => {
    asked.push(Date.now() - start)
    return answer()
  }
  const element = <MatchOverlay other="bea" onClose={() => undefined} />
  const router = createMemoryRouter([
    { path: '/', element },
    { path: '/match/:userId', loader },
  ])
  const root = createRoot(document.querySelector('main')!)
  await act(async () => root.render(<RouterProvider router={router} />))
  for (let ms = 0; ms < 30_000; ms += 100) await act(() => vi.advanceTimersByTimeAsync(100))
  act(() => root.unmount())
  return asked
}

test('a match that the pages do not know yet is asked for after longer and longer waits', async () => {
  expect(await askedWhen(async () => null)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 23_500])
})

test('an answer that is on its way is waited for, each time longer', async () => {
  expect(await askedWhen(() => new Promise(() => undefined))).toEqual([0, 3_500, 15_500])
})
