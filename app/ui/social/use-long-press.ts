import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

/** Pressed for so long, a press is a long one (spec 2 §9). */
const LONG_MS = 420
/** A finger that moves further scrolls. */
const STILL_PX = 10

/**
 * The handlers of a button that a long press opens something of: by pointer, or the space bar. The click that ends such a
 * press is none; `onRelease` gets where a pointer was lifted. The arrow up opens it at once.
 */
export function useLongPress(onLong: () => void, onRelease: (x: number, y: number) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const from = useRef<{ x: number; y: number } | null>(null)
  const wasLong = useRef(false)
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  function start(then?: () => void): void {
    stop()
    wasLong.current = false
    timer.current = setTimeout(() => {
      wasLong.current = true
      then?.()
      onLong()
    }, LONG_MS)
  }
  return {
    onPointerDown({ isPrimary, button, clientX, clientY, currentTarget, pointerId }: PointerEvent<HTMLElement>) {
      if (!isPrimary || button !== 0) return
      from.current = { x: clientX, y: clientY }
      start(() => currentTarget.setPointerCapture(pointerId))
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const { current: down } = from
      if (down && Math.hypot(clientX - down.x, clientY - down.y) > STILL_PX) stop()
    },
    onPointerUp({ clientX, clientY }: PointerEvent) {
      stop()
      if (wasLong.current && from.current) onRelease(clientX, clientY)
      from.current = null
    },
    onPointerCancel: stop,
    onContextMenu: (event: MouseEvent) => wasLong.current && event.preventDefault(),
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'ArrowUp') {
        event.preventDefault()
        onLong()
      }
      if (event.key === ' ' && !event.repeat) start()
    },
    onKeyUp: stop,
    onClick(event: MouseEvent) {
      stop()
      if (wasLong.current) event.preventDefault()
      wasLong.current = false
    },
  }
}
