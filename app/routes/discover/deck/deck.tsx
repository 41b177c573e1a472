import { useState } from 'react'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import type { DealtCard } from './dealt-card.ts'
import { Decisions } from './decisions.tsx'
import { DeckButtons } from './deck-buttons.tsx'
import { DeckCard } from './deck-card.tsx'
import type { DeckState } from './use-deck.ts'
import { useGestures } from './use-gestures.ts'
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
  const { Sheet } = more
  const { shown, step } = usePhotos(top)
  const gestures = useGestures(top?.id, {
    onDecide: (side) => top && decide(top, side),
    onTap: (half) => step(half === 'left' ? -1 : 1),
  })
  return (
    <section className="deck" aria-label="People near you" tabIndex={-1}>
      <div className="deck-stack" {...gestures}>
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
            shown={card.id === top?.id ? shown : 0}
            onStep={step}
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

/** Which photo of the card on top is shown: of each card the first at first. */
function usePhotos(top: DealtCard | undefined) {
  const [{ id, at }, setAt] = useState({ id: '', at: 0 })
  const shown = top && id === top.id ? at : 0
  function step(by: number): void {
    if (top) setAt({ id: top.id, at: Math.max(0, Math.min(top.photos.length - 1, shown + by)) })
  }
  return { shown, step }
}
