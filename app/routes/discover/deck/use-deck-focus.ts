import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../../../shell/lost-focus.ts'
import type { DeckState } from './use-deck.ts'

/**
 * Takes the focus to what is there now, where what had it went with a card, or with the words in the place of the deck;
 * also when a match covered the page meanwhile.
 */
export function useDeckFocus(page: RefObject<HTMLElement>, { over, left, gone }: DeckState): void {
  const next = over ? '.deck-empty' : left[0] ? '.deck-buttons button' : '.deck-waiting'
  const now = next + gone
  const before = useRef(now)
  useEffect(() => {
    if (before.current === now) return
    before.current = now
    const take = () => {
      if (isFocusLost()) page.current?.querySelector<HTMLElement>(next)?.focus()
    }
    take()
    // A dialog gives the focus back when it closes: to nothing, if that is gone. `close` does not bubble.
    document.addEventListener('close', take, true)
    return () => document.removeEventListener('close', take, true)
  }, [page, next, now])
}
