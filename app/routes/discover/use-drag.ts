import { type PointerEvent, useRef } from 'react'

/** A drag past this many pixels decides; less springs back (spec 1 §4). */
export const SWIPE_PX = 120
/** A card turns by one degree for so many pixels. */
const PX_PER_DEGREE = 18
const AXIS_PX = 8

export type Side = 'left' | 'right'
type Drag = { pointer: number; x: number; y: number; dx: number; sideways: boolean }

/**
 * Moves the element with the pointer, sideways only, and reports the side it was let go on. The element shows the lean
 * by its `--lean` (−1 to 1 at the threshold) and `data-lean`.
 */
export function useDrag(onDecide: (side: Side) => void, enabled: boolean) {
  const drag = useRef<Drag | null>(null)

  function lean(element: HTMLElement, dx: number): void {
    element.style.transform = dx === 0 ? '' : `translateX(${dx}px) rotate(${dx / PX_PER_DEGREE}deg)`
    element.style.setProperty('--lean', String(Math.max(-1, Math.min(1, dx / SWIPE_PX))))
    element.dataset.lean = Math.abs(dx) < AXIS_PX ? '' : dx > 0 ? 'right' : 'left'
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    const onControl = (event.target as HTMLElement).closest('button, a, summary, input')
    if (!enabled || onControl || event.button !== 0) return
    drag.current = { pointer: event.pointerId, x: event.clientX, y: event.clientY, dx: 0, sideways: false }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const current = drag.current
    if (current?.pointer !== event.pointerId) return
    current.dx = event.clientX - current.x
    const element = event.currentTarget
    if (!current.sideways) {
      if (Math.abs(event.clientY - current.y) > Math.max(AXIS_PX, Math.abs(current.dx))) drag.current = null
      if (Math.abs(current.dx) < AXIS_PX) return
      current.sideways = true
      element.setPointerCapture(event.pointerId)
      element.dataset.dragging = 'yes'
    }
    lean(element, current.dx)
  }

  function release(event: PointerEvent<HTMLElement>): void {
    const current = drag.current
    if (current?.pointer !== event.pointerId) return
    drag.current = null
    const element = event.currentTarget
    delete element.dataset.dragging
    const decided = event.type === 'pointerup' && Math.abs(current.dx) > SWIPE_PX
    lean(element, 0)
    if (decided) onDecide(current.dx > 0 ? 'right' : 'left')
  }

  return { onPointerDown, onPointerMove, onPointerUp: release, onPointerCancel: release }
}
