import { useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { useToast } from '../../../ui/feedback/toast.tsx'
import { useRefusalToast } from '../../../ui/feedback/use-refusal-toast.ts'
import { underWay } from '../../../ui/under-way.ts'
import { GONE } from '../gone.ts'
import type { DiscoverReply } from '../reply.ts'
import type { Undoable } from './deck-needs.ts'
import type { Queue, QueueAction } from './deck-queue.ts'

/** The fetcher that undoes the last decision, wherever its button is. */
export const UNDO = 'undo-decision'

type Undoing = {
  /** The queue as it is at that moment. */
  readonly peek: () => Queue
  readonly apply: (action: QueueAction) => void
  readonly announce: (text: string) => void
  readonly isFiltered: boolean
  readonly announceGone: (firstName: string) => void
}

/**
 * Brings a card back once its undo is done, and has the page read that out when the deck is dealt anew. Call what it answers
 * as an undo is sent.
 */
export function useUndo({ peek, apply, announce, isFiltered, announceGone }: Undoing): (undoable: Undoable) => void {
  const toast = useToast()
  const fetcher = useFetcher<DiscoverReply>({ key: UNDO })
  const { data } = fetcher
  const isSending = underWay(fetcher) !== undefined
  useRefusalToast(data)
  const undoing = useRef<{ who: Undoable; reply?: DiscoverReply } | null>(null)
  const seen = useRef(data)
  useEffect(() => {
    if (!data || data === seen.current || !undoing.current) return
    seen.current = data
    undoing.current.reply = data
    const { to: id } = undoing.current.who
    const { pos = '', next } = data.done ?? {}
    if (next) apply({ type: 'undone', id, pos, commandId: next })
    else if (data.code === GONE || data.code === 'already_matched') apply({ type: 'settled', id })
  }, [data, apply])
  useEffect(() => {
    if (isSending || !undoing.current?.reply) return
    const { to, firstName } = undoing.current.who
    undoing.current = null
    // Where no card shows it, the words do, and are read out as any toast is.
    const isHidden = isFiltered && !peek().left.some(({ id }) => id === to)
    announce(data?.done && !isHidden ? `${firstName} is back.` : '')
    if (data?.done && isHidden) toast({ text: `${firstName} is back, but outside these filters.` })
    if (data?.code === GONE) announceGone(firstName)
  }, [isSending, data, peek, isFiltered, announce, toast, announceGone])
  return (who) => {
    undoing.current = { who }
  }
}
