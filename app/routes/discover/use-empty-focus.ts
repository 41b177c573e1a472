import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'

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
