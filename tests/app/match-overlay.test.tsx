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

test('who is asked for a match that no answer comes for is asked after longer and longer waits', async () => {
  const asked: number[] = []
  const start = Date.now()
  const loader = () => {
    asked.push(Date.now() - start)
    return new Promise<null>(() => undefined)
  }
  const element = <MatchOverlay other="bea" onClose={() => undefined} />
  const router = createMemoryRouter([
    { path: '/', element },
    { path: '/match/:userId', loader },
  ])
  const root = createRoot(document.querySelector('main')!)
  await act(async () => root.render(<RouterProvider router={router} />))
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(asked).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 23_500])
  act(() => root.unmount())
})
