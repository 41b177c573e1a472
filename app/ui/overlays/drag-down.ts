import { type PointerEvent, type RefObject, useRef } from 'react'

/** Dragged down so far, or so fast, it closes; less springs back. */
const CLOSE_PX = 80
const CLOSE_PX_PER_MS = 0.5

/** Whether something that was dragged down by so many pixels in this time is to close. */
export function isThrownDown(px: number, ms: number): boolean {
  return px > CLOSE_PX || (px > CLOSE_PX / 4 && px / Math.max(1, ms) > CLOSE_PX_PER_MS)
}

/** Shows how far something is dragged down; null lets it go back. */
export function showDragged(box: HTMLElement | null, px: number | null): void {
  if (!box) return
  box.toggleAttribute('data-dragging', px !== null)
  box.style.transform = px === null ? '' : `translateY(${Math.max(0, px)}px)`
}

/** Handlers for what a sheet is dragged by: it follows the pointer down, and closes when it is thrown. */
export function useDragDown(box: RefObject<HTMLElement>, onClose: () => void) {
  const drag = useRef<{ pointer: number; y: number; at: number } | null>(null)
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (!event.isPrimary || (event.target as HTMLElement).closest('button')) return
    // Where a sheet stands at the side nothing offers to drag it.
    if (getComputedStyle(event.currentTarget).touchAction !== 'none') return
    drag.current = { pointer: event.pointerId, y: event.clientY, at: event.timeStamp }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent): void {
    if (drag.current?.pointer === event.pointerId) showDragged(box.current, event.clientY - drag.current.y)
  }
  function onPointerEnd(event: PointerEvent): void {
    if (drag.current?.pointer !== event.pointerId) return
    const { y, at } = drag.current
    drag.current = null
    showDragged(box.current, null)
    if (event.type === 'pointerup' && isThrownDown(event.clientY - y, event.timeStamp - at)) onClose()
  }
  return { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd }
}
