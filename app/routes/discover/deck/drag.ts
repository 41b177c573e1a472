import { begin, type Ended, end, type Gesture, move, type Point, SWIPE_PX } from './gesture.ts'
import type { Lean } from './lean.ts'

export const loadLean = () => import('./lean.ts')

/** Of an event of a pointer. */
export type Down = { readonly pointerId: number } & Where
type Where = { readonly clientX: number; readonly clientY: number; readonly timeStamp: number }
/** What it came to; `isDragged`: the card moved with it. */
export type Lifted = { readonly ended: Ended; readonly isDragged: boolean; readonly event: PointerEvent }

const CARD = '.deck-card:not([aria-hidden])'
const stopHere = (event: Event) => event.stopImmediatePropagation()
const pointOf = ({ clientX: x, clientY: y, timeStamp: at }: Where): Point => ({ x, y, at })

/**
 * A pointer that is down on the stack of cards: leans the card on top with it, until it is lifted, cancelled or joined by
 * another one. It listens on the window, ahead of React, which would look for handlers of each movement on every element.
 */
export class Drag {
  private readonly over = new AbortController()
  private readonly pointer: number
  private gesture: Gesture
  private isTaken = false
  private lean: Lean | null = null

  constructor(
    private readonly stack: HTMLElement,
    down: Down,
    private readonly onLift: (lifted: Lifted) => void,
  ) {
    this.pointer = down.pointerId
    this.gesture = begin(pointOf(down))
    const options = { capture: true, signal: this.over.signal }
    window.addEventListener('pointermove', (event) => this.meet(event), options)
    window.addEventListener('mousemove', stopHere, options)
    window.addEventListener('touchmove', (event) => this.meetTouch(event), { ...options, passive: false })
    window.addEventListener('pointerdown', () => this.stop(), options)
    window.addEventListener('pointerup', (event) => this.isOwn(event) && this.lift(event), options)
    window.addEventListener('pointercancel', (event) => this.isOwn(event) && this.stop(), options)
  }

  /** Lets the card go back. */
  stop(): void {
    this.over.abort()
    this.lean?.release()
  }

  private isOwn({ pointerId }: PointerEvent): boolean {
    return pointerId === this.pointer
  }

  private meet(event: PointerEvent): void {
    stopHere(event)
    if (this.isOwn(event)) this.follow(event)
  }

  /**
   * Of a swipe the browser would make a page that glides on, though it cannot move that way: the next tap would only halt it,
   * and press no button.
   */
  private meetTouch(event: TouchEvent): void {
    stopHere(event)
    if (this.gesture.kind === 'sideways' && event.cancelable) event.preventDefault()
  }

  private follow(event: PointerEvent): void {
    this.gesture = move(this.gesture, pointOf(event))
    const { kind, dx } = this.gesture
    // Of a mouse that was let go outside of the page no event comes.
    if (event.buttons === 0 || kind === 'upright') {
      this.stop()
      return
    }
    if (kind === 'sideways') this.take()
    this.lean?.to(dx)
  }

  private take(): void {
    if (this.isTaken) return
    this.isTaken = true
    this.stack.setPointerCapture(this.pointer)
    loadLean().then(
      (loaded) => this.leanBy(loaded.Lean),
      () => undefined,
    )
  }

  /** What shows the drag is loaded once the page works; the drag decides without it, too. */
  private leanBy(Shown: typeof Lean): void {
    const card = this.stack.querySelector<HTMLElement>(CARD)
    if (!card || this.over.signal.aborted) return
    this.lean = new Shown(card, SWIPE_PX)
    this.lean.to(this.gesture.dx)
  }

  private lift(event: PointerEvent): void {
    this.stop()
    this.onLift({ ended: end(this.gesture, pointOf(event)), isDragged: this.isTaken, event })
  }
}
