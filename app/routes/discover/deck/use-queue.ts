import { useCallback, useRef, useState } from 'react'
import { useBrowserLayoutEffect } from '../../../ui/use-browser-layout-effect.ts'
import type { DealtCard } from './dealt-card.ts'
import { type Deal, NO_QUEUE, type Queue, type QueueAction, reduce } from './deck-queue.ts'

/** What the loader dealt. `asked`: what for, alike while one deck goes on. */
export type Dealt = {
  readonly deck: readonly DealtCard[]
  readonly asked: string
} & Omit<Deal, 'cards'>

const dealOf = ({ deck: cards, asked: _, ...deal }: Dealt): Deal => ({ cards, ...deal })

/**
 * The queue of the page, into which each new deal goes. `apply` knows at once what came before it, also where the page is not
 * drawn in between, and answers whether it changed anything. `announceGone` is called where the card on top was taken away, which
 * was at `changedAt`.
 */
export function useQueue(dealt: Dealt, announceGone: (firstName: string) => void) {
  const [queue, setQueue] = useState(() => reduce(NO_QUEUE, { type: 'arrive', deal: dealOf(dealt), other: false }))
  const latest = useRef<Queue>(queue)
  const shown = useRef(dealt)
  const changedAt = useRef(0)
  const peek = useCallback(() => latest.current, [])
  const apply = useCallback((action: QueueAction): boolean => {
    const before = latest.current
    latest.current = reduce(before, action)
    setQueue(latest.current)
    return latest.current !== before
  }, [])
  useBrowserLayoutEffect(() => {
    const { deck, asked } = shown.current
    if (deck === dealt.deck) return
    shown.current = dealt
    const other = asked !== dealt.asked
    const [top] = latest.current.left
    apply({ type: 'arrive', deal: dealOf(dealt), other })
    if (other || !top || latest.current.left.some(({ id }) => id === top.id)) return
    changedAt.current = Date.now()
    announceGone(top.firstName)
  }, [dealt, apply, announceGone])
  return { queue, peek, apply, changedAt }
}
