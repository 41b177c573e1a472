import { useLocation } from '@remix-run/react'
import { useEffect } from 'react'
import { isFocusLost } from './lost-focus.ts'

/** The page that this document began with, which leaves the focus to the browser; none on the server. */
let shown: { readonly key: string; readonly main: Element | null } | undefined

/**
 * Once another page is shown, or another step of one, and nothing of it has taken the focus, its heading does; also where it
 * fails, and where it comes back.
 */
export function usePageFocus(): void {
  const { key } = useLocation()
  useEffect(() => {
    const before = shown
    shown = { key, main: document.getElementById('main') }
    if (!before || (before.key === key && before.main === shown.main)) return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading || !isFocusLost()) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [key])
}
