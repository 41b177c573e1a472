import { useRevalidator } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { errorIn } from '../../../forms/reply.ts'
import { useLiveEvent } from '../../../live/use-live.tsx'
import { useToast } from '../../../ui/feedback/toast.tsx'
import { useRefusalToast } from '../../../ui/feedback/use-refusal-toast.ts'
import { useMatchMoment } from '../../../ui/match/match-moment.tsx'
import { GONE, goneWords, takenAwayWords } from '../gone.ts'
import type { DiscoverReply } from '../reply.ts'
import type { DealtCard, LastSkip } from './dealt-card.ts'
import { isOver, missesOne, needsDeal, newestOf, undoableIn } from './deck-needs.ts'
import type { Decided, Queue, Side } from './deck-queue.ts'
import { useNews } from './use-news.ts'
import { type Dealt, useQueue } from './use-queue.ts'
import { useUndo } from './use-undo.ts'

const LEAVE_MS = 240
/** A press sooner than this after another card came was meant for the one before it. */
const UNSEEN_MS = 500
/** A deal that knew less than this page is followed by another one, after a while. */
const AGAIN_MS = 1_000

/**
 * The deck while script runs, with a queue of its own: a decision takes the card away at once and is sent behind it; a card
 * that was refused comes back with the reason (spec 1 §8), unless nobody is there any more; more cards are read before they are needed.
 */
export function useDeck(dealt: Dealt, { lastSkip, isFiltered }: { lastSkip: LastSkip; isFiltered: boolean }) {
  const { news, announce } = useNews()
  const { leaving, leave } = useLeaving()
  const onMatch = useMatchMoment()
  const toast = useToast()
  const [gone, setGone] = useState(0)
  const announceGone = useCallback(
    (firstName: string, words = goneWords) => {
      toast({ text: words(firstName) })
      setGone((times) => times + 1)
    },
    [toast],
  )
  const announceTaken = useCallback((firstName: string) => announceGone(firstName, takenAwayWords), [announceGone])
  const { queue, peek, apply, changedAt } = useQueue(dealt, announceTaken)
  const [refused, setRefused] = useState<{ id: string; reply: DiscoverReply }>()
  useRefusalToast(refused?.reply)
  useReadAhead(queue)
  useLiveEvent('match', ({ data }) => apply({ type: 'settled', id: data.otherUserId }))
  const undoable = undoableIn(queue, lastSkip)
  const undo = useUndo({ peek, apply, announce, isFiltered, announceGone })

  function decide(card: DealtCard, side: Side): void {
    if (Date.now() - changedAt.current < UNSEEN_MS || !apply({ type: 'decide', id: card.id, side })) return
    if (refused?.id === card.id) setRefused(undefined)
    leave(card, side)
    announce(side === 'right' ? `You buzzed ${card.firstName}.` : `${card.firstName} skipped.`)
  }

  function onReply({ card, number }: Decided, reply: DiscoverReply): void {
    const error = errorIn(reply)
    if (error) announce('')
    if (reply.code === GONE) announceGone(card.firstName)
    else if (error) {
      apply({ type: 'refused', number })
      setRefused({ id: card.id, reply })
      return
    }
    const { matched = false, pos = '', next = null } = reply.done ?? {}
    apply({ type: 'answered', number, answer: { pos, undo: matched ? null : next } })
    if (matched) onMatch(card.id)
  }

  return {
    left: queue.left,
    decided: queue.decided,
    // One that is back at once, undone or refused, is the card itself and leaves no more.
    leaving: leaving.filter(({ card }) => !queue.left.some(({ id }) => id === card.id)),
    over: isOver(queue),
    // How many left while they were on it.
    gone,
    undoable,
    undo,
    decide,
    onReply,
    news,
    announce,
  }
}

export type DeckState = ReturnType<typeof useDeck>
type Leaving = { readonly card: DealtCard; readonly side: Side }

/** Cards on their way out of the picture. */
function useLeaving() {
  const [leaving, setLeaving] = useState<readonly Leaving[]>([])
  function leave(card: DealtCard, side: Side): void {
    const one = { card, side }
    setLeaving((all) => [...all.filter((other) => other.card.id !== card.id), one])
    setTimeout(() => setLeaving((all) => all.filter((other) => other !== one)), LEAVE_MS)
  }
  return { leaving, leave }
}

/** Reads the page again when the deck runs low, or lacks who was brought back; not at once where it knew nothing new. */
function useReadAhead(queue: Queue): void {
  const { revalidate, state } = useRevalidator()
  const runsLow = needsDeal(queue)
  const wanted = state === 'idle' && (runsLow || missesOne(queue))
  const newest = newestOf(queue)
  const asked = useRef<string | null>(null)
  useEffect(() => {
    if (!wanted) return
    // An undo is followed by a read of its own.
    const timer = setTimeout(revalidate, runsLow && asked.current !== newest ? 0 : AGAIN_MS)
    return () => clearTimeout(timer)
  }, [wanted, runsLow, newest, revalidate])
  useEffect(() => {
    if (state !== 'idle') asked.current = newest
  }, [state, newest])
}
