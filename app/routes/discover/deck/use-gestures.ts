import { type DragEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { Side } from './deck-queue.ts'
import { begin, end, type Gesture, move, type Point, SWIPE_PX } from './gesture.ts'
import { Lean } from './lean.ts'

type Drag = { readonly pointer: number; gesture: Gesture; lean: Lean | null }
type Handlers = {
  readonly onDecide: (side: Side) => void
  /** A tap on the left or the right half of the card, beside its controls. */
  readonly onTap: (half: Side) => void
}

const pointOf = ({ clientX: x, clientY: y, timeStamp: at }: PointerEvent): Point => ({ x, y, at })
const isControl = (target: EventTarget) => (target as HTMLElement).closest('button, a, summary, input') !== null

/**
 * The one place for what a finger does to a card, from any point of it: a drag sideways past the threshold or a flick
 * decides, less springs back, a tap turns the pictures over, and what goes up or down stays the page's. A second finger
 * ends the drag of the first.
 */
export function useGestures(enabled: boolean, { onDecide, onTap }: Handlers) {
  const drag = useRef<Drag | null>(null)
  const wasDragged = useRef(false)
  // A card that is taken away meanwhile leaves the next one where it belongs.
  useEffect(() => () => drag.current?.lean?.release(), [])

  function stop(): Drag | null {
    const ended = drag.current
    drag.current = null
    ended?.lean?.release()
    return ended
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    wasDragged.current = false
    if (!event.isPrimary) stop()
    if (!enabled || !event.isPrimary || event.button !== 0) return
    drag.current = { pointer: event.pointerId, gesture: begin(pointOf(event)), lean: null }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>): void {
    const current = drag.current
    if (current?.pointer !== event.pointerId) return
    // It was let go outside of the card.
    if (event.buttons === 0) return void stop()
    current.gesture = move(current.gesture, pointOf(event))
    if (current.gesture.kind === 'upright') stop()
    if (current.gesture.kind !== 'sideways') return
    if (!current.lean) {
      current.lean = new Lean(event.currentTarget, SWIPE_PX)
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    current.lean.to(current.gesture.dx)
  }

  function onPointerUp(event: PointerEvent<HTMLElement>): void {
    if (drag.current?.pointer !== event.pointerId) return
    const { gesture, lean } = stop() as Drag
    wasDragged.current = lean !== null
    const ended = end(gesture, pointOf(event))
    if (typeof ended === 'object') onDecide(ended.decided)
    else if (ended === 'tap' && !isControl(event.target)) onTap(halfOf(event))
  }

  const onPointerCancel = (event: PointerEvent) => {
    if (drag.current?.pointer === event.pointerId) stop()
  }

  /** A finger belongs to what it touched first, and leaves that for the card when the drag begins. */
  const onLostPointerCapture = (event: PointerEvent) => {
    if (event.target === event.currentTarget) onPointerCancel(event)
  }

  /** The click that follows a drag is none: a link under the finger leads nowhere. */
  function onClickCapture(event: MouseEvent): void {
    if (!wasDragged.current) return
    wasDragged.current = false
    event.preventDefault()
    event.stopPropagation()
  }

  /** The browser would carry a link away instead. */
  const onDragStart = (event: DragEvent) => event.preventDefault()

  const onPointers = {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel,
    onLostPointerCapture,
  }
  return { ...onPointers, onClickCapture, onDragStart }
}

function halfOf({ currentTarget, clientX }: PointerEvent<HTMLElement>): Side {
  const { left, width } = currentTarget.getBoundingClientRect()
  return clientX < left + width / 2 ? 'left' : 'right'
}
