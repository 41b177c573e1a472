import { useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { useHydrated } from '../use-hydrated.ts'

/**
 * For what replaces a page, or a part of it, at its address, as where a room closes while somebody types in it: what `selector`
 * finds takes a focus that was lost, and screen readers read it.
 */
export function useFocusInPlace(selector = 'main h1'): void {
  // A document that begins so leaves the focus to the browser.
  const isLater = useRef(useHydrated())
  useEffect(() => {
    const found = document.querySelector<HTMLElement>(selector)
    if (!found || !isLater.current || !isFocusLost()) return
    found.tabIndex = -1
    found.focus({ preventScroll: true })
  }, [selector])
}
