import { useState } from 'react'
import type { StoredMessage } from './known-messages.ts'

/** So many messages are in the page at most, however many are known of its room. */
export const IN_THE_PAGE = 200
/** So many come at one end, and leave at the other. */
const STEP = 50

type Span = {
  readonly shown: readonly StoredMessage[]
  /** Known ones come before, and after. */
  readonly hasBefore: boolean
  readonly hasAfter: boolean
}

/** The messages from number `top` on, or the newest ones where it is null; their numbers are consecutive. */
export function spanOf(all: readonly StoredMessage[], top: number | null): Span {
  const newest = Math.max(0, all.length - IN_THE_PAGE)
  const first = all[0]?.number ?? 0
  const from = top === null || top >= first + all.length ? newest : Math.max(0, top - first)
  const to = from + IN_THE_PAGE
  return { shown: all.slice(from, to), hasBefore: from > 0, hasAfter: to < all.length }
}

/** Which of the known messages are in the page: the newest, or what a reader who is `away` from them has scrolled to. */
export function useMessageWindow(all: readonly StoredMessage[], isAway: boolean) {
  const [top, setTop] = useState<number | null>(null)
  const [moves, setMoves] = useState(0)
  const span = spanOf(all, top)
  const first = span.shown[0]?.number ?? null
  const wanted = isAway ? (top ?? first) : null
  if (wanted !== top) setTop(wanted)
  const moveBy = (count: number) => {
    if (first === null) return
    setTop(Math.max(all[0]?.number ?? 0, first + count))
    setMoves(moves + 1)
  }
  return { ...span, moves, moveUp: () => moveBy(-STEP), moveDown: () => moveBy(STEP) }
}
