import { useRef } from 'react'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { Decisions } from './decisions.tsx'
import { DeckButtons } from './deck-buttons.tsx'
import { DeckCard } from './deck-card.tsx'
import type { DeckState } from './use-deck.ts'
import { useWaitingFocus } from './use-empty-focus.ts'
import { useKeys } from './use-keys.ts'
import { useMore } from './use-more.ts'
import './deck.css'

/** Cards that peek from behind the top one. */
const BEHIND = 2

/** The stack of cards: by drag, by button, by arrow key, and by plain form without script. */
export function Deck({ deck }: { deck: DeckState }) {
  const { left, leaving, decide, undoable, undo } = deck
  const top = left[0]
  const more = useMore(top)
  const stack = [...leaving, ...left.slice(0, BEHIND + 1).map((card) => ({ card, side: undefined }))]
  useKeys({ ArrowLeft: () => top && decide(top, 'left'), ArrowRight: () => top && decide(top, 'right') })
  const section = useRef<HTMLElement>(null)
  useWaitingFocus(section, !top)
  const { Sheet } = more
  return (
    <section className="deck" aria-label="People near you" tabIndex={-1} ref={section}>
      <div className="deck-stack">
        {top ? null : (
          <p className="deck-waiting" tabIndex={-1}>
            <Spinner /> Looking for more people…
          </p>
        )}
        {stack.map(({ card, side }) => (
          <DeckCard
            key={card.id}
            card={card}
            place={side ? 'leaving' : card.id === top?.id ? 'top' : card.id === left[1]?.id ? 'next' : 'behind'}
            leaving={side}
            onDecide={(to) => decide(card, to)}
            onMore={more.open}
          />
        ))}
        {top && Sheet ? <Sheet key={top.id} card={top} onClose={more.close} /> : null}
      </div>
      {top ? <DeckButtons card={top} undoable={undoable} onDecide={(side) => decide(top, side)} onUndo={undo} /> : null}
      <Decisions decided={deck.decided} onReply={deck.onReply} />
    </section>
  )
}
