import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'

/**
 * Once the location is set its question is gone, and with it what had the focus: that goes to the deck, or to what is shown
 * in its place, and the page reads out why.
 */
export function useLocationNews(
  page: RefObject<HTMLElement>,
  hasLocation: boolean,
  announce: (text: string) => void,
): void {
  const had = useRef(hasLocation)
  useEffect(() => {
    const isNew = hasLocation && !had.current
    had.current = hasLocation
    if (!isNew) return
    announce('Your location is set.')
    if (isFocusLost()) page.current?.querySelector<HTMLElement>('.deck, .deck-empty')?.focus()
  }, [page, hasLocation, announce])
}
