// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LiveProvider } from '../../../app/live/use-live.tsx'
import { fakeServer } from './fake-socket.ts'

let root: Root
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  document.body.innerHTML = '<main></main>'
  root = createRoot(document.querySelector('main')!)
})
afterEach(() => {
  act(() => root.unmount())
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a page that nobody looks at waits with connecting again (ruling R36)', async () => {
  const server = fakeServer()
  act(() =>
    root.render(
      <LiveProvider member="ann" pos={null} revalidate={() => undefined} busy={false} open={server.open}>
        <p />
      </LiveProvider>,
    ),
  )
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  for (let n = 0; n < 10; n++) {
    act(() => void server.last().end(1006))
    await act(() => vi.advanceTimersByTimeAsync(1_500))
  }
  expect(server.sockets.length).toBe(1)
})
