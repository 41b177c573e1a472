import { useLocation } from '@remix-run/react'
import { useEffect } from 'react'
import { isFocusLost } from './lost-focus.ts'

/** Of the document: the frame of a page that fails is another one, and so is that of the page when it comes back. */
let isFirst = true

/** Once another page is shown, or another step of one, and nothing of it has taken the focus, its heading does. */
export function usePageFocus(): void {
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page that is shown
  useEffect(() => {
    const wasFirst = isFirst
    isFirst = false
    if (wasFirst) return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading || !isFocusLost()) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [key])
}
