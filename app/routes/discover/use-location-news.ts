import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { useToast } from '../../ui/feedback/toast.tsx'

/**
 * Once the location is set its question is gone, and with it what had the focus: that goes to the deck, or to what is shown
 * in its place, and a note names the town. `near`: null without a location, empty where no town is near.
 */
export function useLocationNews(page: RefObject<HTMLElement>, near: string | null): void {
  const had = useRef(near)
  const toast = useToast()
  useEffect(() => {
    const isNew = near !== null && had.current === null
    had.current = near
    if (!isNew) return
    toast({ text: `Your location is set${near && `: ${near}`}.` })
    if (isFocusLost()) page.current?.querySelector<HTMLElement>('.deck, .deck-empty')?.focus()
  }, [page, near, toast])
}
