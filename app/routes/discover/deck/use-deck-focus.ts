import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../../../shell/lost-focus.ts'

/**
 * Takes the focus to what replaces the deck once its last card is gone, where the button that had it went with
 * the card; also when a match covered the page meanwhile.
 */
export function useEmptyFocus(page: RefObject<HTMLElement>, deck: boolean): void {
  const hadDeck = useRef(deck)
  useEffect(() => {
    const lost = hadDeck.current && !deck
    hadDeck.current = deck
    if (!lost) return
    const take = () => {
      if (isFocusLost()) page.current?.querySelector<HTMLElement>('.deck-empty')?.focus()
    }
    take()
    // A dialog gives the focus back when it closes: to nothing, if that is gone. `close` does not bubble.
    document.addEventListener('close', take, true)
    return () => document.removeEventListener('close', take, true)
  }, [page, deck])
}

/** While all cards sent are decided and more are on their way: the focus is on the words in their place, then on the deck again. */
export function useWaitingFocus(deck: RefObject<HTMLElement>, waiting: boolean): void {
  const waited = useRef(waiting)
  useEffect(() => {
    const changed = waited.current !== waiting
    waited.current = waiting
    const next = waiting ? '.deck-waiting' : '.deck-buttons button'
    if (changed && isFocusLost()) deck.current?.querySelector<HTMLElement>(next)?.focus()
  }, [deck, waiting])
}
