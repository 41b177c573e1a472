import { type PointerEvent, useRef } from 'react'
import type { Crop } from './crop-area.ts'

/** Handlers for the picture below a frame: the frame follows the pointer. */
export function useCropDrag(shown: Crop, put: (crop: Crop) => void) {
  const drag = useRef<{ pointer: number; fromX: number; fromY: number; crop: Crop } | null>(null)
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (!event.isPrimary || event.button !== 0) return
    drag.current = { pointer: event.pointerId, fromX: event.clientX, fromY: event.clientY, crop: shown }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const { current } = drag
    if (current?.pointer !== event.pointerId) return
    const { width, height } = event.currentTarget.getBoundingClientRect()
    const { x, y, zoom } = current.crop
    put({ x: x + (event.clientX - current.fromX) / width, y: y + (event.clientY - current.fromY) / height, zoom })
  }
  function onPointerEnd(event: PointerEvent): void {
    if (drag.current?.pointer === event.pointerId) drag.current = null
  }
  return { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd }
}
