import { type DragEvent, type MouseEvent, type PointerEvent, useRef } from 'react'
import { useBrowserLayoutEffect } from '../../../ui/use-browser-layout-effect.ts'
import type { Side } from './deck-queue.ts'
import { begin, end, type Gesture, move, type Point, SWIPE_PX } from './gesture.ts'
import { Lean } from './lean.ts'

type Drag = { readonly pointer: number; gesture: Gesture; lean: Lean | null }
type Handlers = {
  readonly onDecide: (side: Side) => void
  /** A tap on the left or the right half of the stack, beside its controls. */
  readonly onTap: (half: Side) => void
}

const pointOf = ({ clientX: x, clientY: y, timeStamp: at }: PointerEvent): Point => ({ x, y, at })
const CARD = '.deck-card:not([aria-hidden])'
const isOnSheet = (target: EventTarget) => (target as HTMLElement).closest('[role=dialog]') !== null
const isControl = (target: EventTarget) => (target as HTMLElement).closest('button, a, summary, input') !== null

/**
 * The one place for what a finger does to the card on top, on the stack that it lies on: so that it is met from any point,
 * also while it comes forward. A drag sideways past the threshold or a flick decides, less springs back, a tap turns the
 * pictures over, and what goes up or down stays the page's. A second finger ends the drag of the first.
 */
export function useGestures(top: string | undefined, { onDecide, onTap }: Handlers) {
  const drag = useRef<Drag | null>(null)
  const { noteDrag, ...onStray } = useStrayClicks()

  // A card that goes meanwhile, by a key or another page, takes the drag with it.
  useBrowserLayoutEffect(() => () => void stop(), [top])

  function stop(): Drag | null {
    const ended = drag.current
    drag.current = null
    ended?.lean?.release()
    return ended
  }

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    noteDrag(false)
    if (!event.isPrimary) stop()
    if (!top || !event.isPrimary || event.button !== 0 || isOnSheet(event.target)) return
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
      const card = event.currentTarget.querySelector<HTMLElement>(CARD)
      if (!card) return
      current.lean = new Lean(card, SWIPE_PX)
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    current.lean.to(current.gesture.dx)
  }

  function onPointerUp(event: PointerEvent<HTMLElement>): void {
    if (drag.current?.pointer !== event.pointerId) return
    const { gesture, lean } = stop() as Drag
    noteDrag(lean !== null)
    const ended = end(gesture, pointOf(event))
    if (typeof ended === 'object') onDecide(ended.decided)
    else if (ended === 'tap' && !isControl(event.target)) onTap(halfOf(event))
  }

  const onPointerCancel = (event: PointerEvent) => {
    if (drag.current?.pointer === event.pointerId) stop()
  }

  /**
   * A finger belongs to what it touched first, and leaves that for the stack when its drag begins; that of an earlier drag may
   * be let go as late as this one comes.
   */
  const onLostPointerCapture = (event: PointerEvent) => {
    if (event.target === event.currentTarget && drag.current?.lean) onPointerCancel(event)
  }

  return { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onLostPointerCapture, ...onStray }
}

/** What the browser makes of a drag beside it: a click on the link under the finger, or a link that is carried away. */
function useStrayClicks() {
  const wasDragged = useRef(false)
  const noteDrag = (dragged: boolean) => {
    wasDragged.current = dragged
  }
  function onClickCapture(event: MouseEvent): void {
    if (!wasDragged.current) return
    wasDragged.current = false
    event.preventDefault()
    event.stopPropagation()
  }
  const onDragStart = (event: DragEvent) => event.preventDefault()
  return { noteDrag, onClickCapture, onDragStart }
}

function halfOf({ currentTarget, clientX }: PointerEvent<HTMLElement>): Side {
  const { left, width } = currentTarget.getBoundingClientRect()
  return clientX < left + width / 2 ? 'left' : 'right'
}
