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
 * drawn in between, and answers whether it changed anything.
 */
export function useQueue(dealt: Dealt) {
  const [queue, setQueue] = useState(() => reduce(NO_QUEUE, { type: 'arrive', deal: dealOf(dealt), other: false }))
  const latest = useRef<Queue>(queue)
  const shown = useRef(dealt)
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
    apply({ type: 'arrive', deal: dealOf(dealt), other: asked !== dealt.asked })
  }, [dealt, apply])
  return { queue, peek, apply }
}
