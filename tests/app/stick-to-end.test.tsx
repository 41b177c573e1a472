// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useStickToEnd } from '../../app/routes/chat.$userId/use-stick-to-end.ts'

const SHOWN_PX = 500

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  document.body.innerHTML = '<main></main>'
})
afterEach(() => vi.unstubAllGlobals())

/** A room of this height; where it is scrolled to stays within it, as in a browser. */
async function openRoom(height: number) {
  const room = { height, top: 0 }
  let reading!: ReturnType<typeof useStickToEnd>
  const place = (box: HTMLDivElement | null) => {
    if (!box) return
    Object.defineProperties(box, {
      scrollHeight: { get: () => room.height },
      clientHeight: { get: () => SHOWN_PX },
      scrollTop: {
        get: () => Math.min(room.top, room.height - SHOWN_PX),
        set: (top: number) => {
          room.top = Math.min(top, room.height - SHOWN_PX)
        },
      },
    })
    Object.assign(reading.box, { current: box })
  }
  function Room() {
    reading = useStickToEnd(undefined)
    return (
      <div ref={place}>
        <div ref={reading.content} />
      </div>
    )
  }
  const root = createRoot(document.querySelector('main')!)
  await act(async () => root.render(<Room />))
  const grow = (by: number) =>
    act(() => {
      room.height += by
      reading.toEnd()
    })
  return { room, grow, isAway: () => reading.isAway, close: () => act(() => root.unmount()) }
}

test('whoever reads along is led to what comes, also once the room became lower meanwhile', async () => {
  const { room, grow, isAway, close } = await openRoom(2_000)
  expect(room.top).toBe(1_500)
  grow(100)
  expect(room.top).toBe(1_600)
  room.height -= 300
  grow(50)
  expect([room.top, isAway()]).toEqual([1_350, false])
  close()
})

test('whoever has just scrolled up stays there when a message comes before the event of the scroll', async () => {
  const { room, grow, isAway, close } = await openRoom(2_000)
  room.top = 200
  grow(100)
  expect([room.top, isAway()]).toEqual([200, true])
  close()
})
