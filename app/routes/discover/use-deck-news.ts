import { useFetcher } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useToast } from '../../ui/feedback/toast.tsx'
import { useRefusalToast } from '../../ui/feedback/use-refusal-toast.ts'
import { underWay } from '../../ui/under-way.ts'
import type { LastSkip } from './dealt-card.ts'
import type { DiscoverReply } from './reply.ts'

/** The fetcher that undoes a skip, wherever its button is. */
export const UNDO = 'undo-skip'

type Shown = { deck: readonly { id: string }[]; lastSkip: LastSkip; isFiltered: boolean }

/**
 * What the page reads out: what became of a decision, and of an undo once the deck is dealt anew. `count` differs for the
 * same words announced again.
 */
export function useDeckNews({ deck, lastSkip, isFiltered }: Shown) {
  const [news, setNews] = useState({ text: '', count: 0 })
  const announce = useCallback((text: string) => setNews(({ count }) => ({ text, count: count + 1 })), [])
  const toast = useToast()
  const fetcher = useFetcher<DiscoverReply>({ key: UNDO })
  const { state, data } = fetcher
  const isOver = !underWay(fetcher)
  useRefusalToast(data)
  const undoing = useRef<LastSkip>(null)
  useEffect(() => {
    if (state === 'submitting') undoing.current = lastSkip
    const undone = undoing.current
    if (!isOver || !undone) return
    undoing.current = null
    const isDealt = deck.some(({ id }) => id === undone.to)
    if (!data?.done) announce('')
    else if (isDealt || !isFiltered) announce(`${undone.firstName} is back.`)
    else {
      // No card shows it, so the words do, and are read out as any toast is.
      announce('')
      toast({ text: `${undone.firstName} is back, but outside these filters.` })
    }
  }, [state, isOver, data, deck, lastSkip, isFiltered, announce, toast])
  return { news, announce }
}
