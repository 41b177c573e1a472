import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { isThrownDown, showDragged } from '../overlays/drag-down.ts'

/** Pressed for longer, it is not a tap. */
const HOLD_MS = 300
/** Moved further, it is a drag. */
const DRAG_PX = 10

type Press = { pointer: number; x: number; y: number; at: number; isDragged: boolean }
type Handlers = { onHold: (is: boolean) => void; onThrown: () => void }

/**
 * Handlers for what a stage shows, over the links that lead to its neighbours: pressed, it waits; dragged down, it closes;
 * after either the click of the link below is none.
 */
export function useHold({ onHold, onThrown }: Handlers) {
  const press = useRef<Press | null>(null)
  const isNoClick = useRef(false)
  const boxOf = ({ currentTarget }: PointerEvent<HTMLElement>) => currentTarget.closest('dialog')
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    isNoClick.current = false
    if (!event.isPrimary || event.button !== 0) return
    press.current = {
      pointer: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      at: event.timeStamp,
      isDragged: false,
    }
    onHold(true)
  }
  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const { current } = press
    if (current?.pointer !== event.pointerId) return
    const [dx, dy] = [event.clientX - current.x, event.clientY - current.y]
    if (!current.isDragged && dy > DRAG_PX && dy > Math.abs(dx)) {
      current.isDragged = true
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    if (current.isDragged) showDragged(boxOf(event), dy)
  }
  function onPointerEnd(event: PointerEvent<HTMLElement>): void {
    const { current } = press
    if (current?.pointer !== event.pointerId) return
    press.current = null
    onHold(false)
    if (current.isDragged) showDragged(boxOf(event), null)
    const ms = event.timeStamp - current.at
    isNoClick.current = current.isDragged || ms > HOLD_MS
    if (current.isDragged && event.type === 'pointerup' && isThrownDown(event.clientY - current.y, ms)) onThrown()
  }
  function onClickCapture(event: MouseEvent): void {
    if (!isNoClick.current) return
    isNoClick.current = false
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: onPointerEnd,
    onPointerCancel: onPointerEnd,
    onClickCapture,
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  }
}
