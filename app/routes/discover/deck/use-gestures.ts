import { type DragEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useBrowserLayoutEffect } from '../../../ui/use-browser-layout-effect.ts'
import type { Side } from './deck-queue.ts'
import { Drag, type Lifted, loadLean } from './drag.ts'

type Handlers = {
  readonly onDecide: (side: Side) => void
  /** A tap on the left or the right half of the stack, beside its controls. */
  readonly onTap: (half: Side) => void
}

const isWithin = (target: EventTarget | null, selector: string) =>
  target instanceof Element && target.closest(selector) !== null
const SHEET = '[role=dialog]'
const CONTROL = 'button, a, summary, input'

/**
 * The one place for what a finger does to the card on top, on the stack that it lies on: so that it is met from any point,
 * also while it comes forward. A drag sideways past the threshold or a flick decides, less springs back, a tap turns the
 * pictures over, and what goes up or down stays the page's. A second finger ends the drag of the first.
 */
export function useGestures(top: string | undefined, handlers: Handlers) {
  const drag = useRef<Drag | null>(null)
  const latest = useRef(handlers)
  latest.current = handlers
  const { noteDrag, ...onStray } = useStrayClicks()

  useEffect(() => void loadLean().catch(() => undefined), [])
  // A card that goes meanwhile, by a key or another page, takes the drag with it.
  useBrowserLayoutEffect(() => () => drag.current?.stop(), [top])

  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    noteDrag(false)
    if (!top || !event.isPrimary || event.button !== 0 || isWithin(event.target, SHEET)) return
    const stack = event.currentTarget
    drag.current = new Drag(stack, event, (lifted) => onLift(stack, lifted))
  }

  function onLift(stack: HTMLElement, { ended, isDragged, event }: Lifted): void {
    noteDrag(isDragged)
    const { onDecide, onTap } = latest.current
    if (typeof ended === 'object') onDecide(ended.decided)
    else if (ended === 'tap' && !isWithin(event.target, CONTROL)) onTap(halfOf(stack, event.clientX))
  }

  return { onPointerDown, ...onStray }
}

/** What the browser makes of a drag beside it: a click on the link under the pointer, or a link that is carried away. */
function useStrayClicks() {
  const isDragged = useRef(false)
  const noteDrag = (dragged: boolean) => {
    isDragged.current = dragged
  }
  /** Of a finger it comes a while after. The click of a key counts no taps, and is none of a drag. */
  function onClickCapture(event: MouseEvent): void {
    if (!isDragged.current || event.detail === 0) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onDragStart = (event: DragEvent) => event.preventDefault()
  return { noteDrag, onClickCapture, onDragStart }
}

function halfOf(stack: HTMLElement, x: number): Side {
  const { left, width } = stack.getBoundingClientRect()
  return x < left + width / 2 ? 'left' : 'right'
}
