import { useLocation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { isFocusLost } from './lost-focus.ts'

/** Once another page is shown, or another step of one, and nothing of it has taken the focus, its heading does. */
export function usePageFocus(): void {
  const { key } = useLocation()
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current === key) return
    shown.current = key
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading || !isFocusLost()) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [key])
}
