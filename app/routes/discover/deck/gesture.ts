import type { Side } from './deck-queue.ts'

/** A drag past this many pixels decides; less springs back (spec 1 §4). */
export const SWIPE_PX = 120
/** A card that is let go faster than this, in pixels a millisecond, is decided too. */
const FLICK_PX_PER_MS = 0.5
/** A flick is at least so long: less is a finger that trembles. */
const FLICK_PX = 24
/** Less is a finger that rests. */
const SLOP_PX = 8
/** The speed is that of the end of the movement. */
const SPEED_MS = 100
const TAP_MS = 500

/** Where a pointer is, in pixels, and when, in milliseconds. */
export type Point = { readonly x: number; readonly y: number; readonly at: number }
/** A finger on a card. It follows sideways once that is clear; what goes up or down is the page's. */
export type Gesture = {
  readonly start: Point
  readonly kind: 'open' | 'sideways' | 'upright'
  readonly dx: number
  /** The last of its points. */
  readonly recent: readonly Point[]
}
export type Ended = { readonly decided: Side } | 'tap' | 'back' | 'none'

export const begin = (start: Point): Gesture => ({ start, kind: 'open', dx: 0, recent: [start] })

export function move(gesture: Gesture, point: Point): Gesture {
  const { start, kind, recent } = gesture
  const [dx, dy] = [point.x - start.x, point.y - start.y]
  const points = [...recent.filter(({ at }) => point.at - at <= SPEED_MS), point]
  const [wide, high] = [Math.abs(dx), Math.abs(dy)]
  const found = wide >= SLOP_PX && wide >= high ? 'sideways' : high > SLOP_PX ? 'upright' : 'open'
  return { start, kind: kind === 'open' ? found : kind, dx, recent: points }
}

/** What a gesture came to when the pointer is lifted. */
export function end(gesture: Gesture, point: Point): Ended {
  const { start, kind, dx, recent } = move(gesture, point)
  if (kind === 'upright') return 'none'
  if (kind === 'open') return point.at - start.at <= TAP_MS ? 'tap' : 'none'
  const side = dx > 0 ? 'right' : 'left'
  if (Math.abs(dx) > SWIPE_PX) return { decided: side }
  const [from = point] = recent
  const speed = ((point.x - from.x) * Math.sign(dx)) / Math.max(1, point.at - from.at)
  return Math.abs(dx) >= FLICK_PX && speed > FLICK_PX_PER_MS ? { decided: side } : 'back'
}
