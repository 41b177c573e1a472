import { useFetchers, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { errorIn } from '../../forms/reply.ts'
import { useToast } from '../../ui/feedback/toast.tsx'
import { underWay } from '../../ui/under-way.ts'
import type { DealtCard } from './dealt-card.ts'
import type { DiscoverReply } from './reply.ts'
import type { Side } from './use-drag.ts'

const LEAVE_MS = 220

type DeckEvents = { onMatch: (other: string) => void; announce: (text: string) => void }
type Decided = { side: Side; at: number }

/**
 * The deck while script runs: a decision takes the card away at once and is sent behind it; a card that was refused
 * comes back with the reason (spec 1 §8).
 */
export function useDeck(cards: readonly DealtCard[], { onMatch, announce }: DeckEvents) {
  const submit = useSubmit()
  const toast = useToast()
  const [decided, setDecided] = useState<ReadonlyMap<string, Decided>>(new Map())
  const [leaving, setLeaving] = useState<{ card: DealtCard; side: Side } | null>(null)
  const isBusy = useFetchers().some((fetcher) => fetcher.key.startsWith('deck-') && underWay(fetcher) !== undefined)
  const left = cards.filter((card) => !decided.has(card.id))
  const [lastSkipped] = [...decided].filter(([, { side }]) => side === 'left').at(-1) ?? []

  function decide(card: DealtCard, side: Side): void {
    setDecided((all) => new Map(all).set(card.id, { side, at: Date.now() }))
    setLeaving({ card, side })
    setTimeout(() => setLeaving((now) => (now?.card.id === card.id ? null : now)), LEAVE_MS)
    announce(side === 'right' ? `You buzzed ${card.firstName}.` : `${card.firstName} skipped.`)
    const intent = side === 'right' ? 'buzz' : 'skip'
    const fields = { intent, to: card.id, commandId: card.commandId, live: 'yes' }
    submit(fields, {
      method: 'post',
      action: '/discover',
      navigate: false,
      fetcherKey: `deck-${card.id}`,
      flushSync: true,
    })
  }

  useReplies((id, reply) => {
    if (reply.done?.matched) onMatch(id)
    const error = errorIn(reply)
    if (!error) return
    setDecided((all) => new Map([...all].filter(([member]) => member !== id)))
    announce('')
    toast({ text: error, tone: 'alarm' })
  })

  /** Whether the server may not have heard yet of the skip that an undo is meant for. */
  const isSkipOnItsWay = (known: string | undefined) => isBusy && lastSkipped !== undefined && lastSkipped !== known
  /** An undone skip may be dealt again. */
  const forget = (id: string) => setDecided((all) => new Map([...all].filter(([member]) => member !== id)))
  // One that is back at once, undone or refused, is the card itself and leaves no more.
  const gone = leaving && decided.has(leaving.card.id) ? leaving : null
  return { left, leaving: gone, decide, forget, isSkipOnItsWay }
}

/** Calls back once for each reply to a decision of this deck. */
function useReplies(onReply: (id: string, reply: DiscoverReply) => void): void {
  const fetchers = useFetchers()
  const seen = useRef(new WeakSet<object>())
  const latest = useRef(onReply)
  latest.current = onReply
  useEffect(() => {
    for (const { key, data } of fetchers) {
      const reply = data as DiscoverReply | undefined
      if (!key.startsWith('deck-') || !reply || seen.current.has(reply)) continue
      seen.current.add(reply)
      latest.current(key.slice('deck-'.length), reply)
    }
  }, [fetchers])
}
