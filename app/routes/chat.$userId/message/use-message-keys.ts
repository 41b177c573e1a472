import { type RefObject, useEffect, useRef } from 'react'

const MENUS = '.message .menu > summary'
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

/** The arrow keys go from message to message, once the menu of one has the focus. */
export function useMessageKeys(): RefObject<HTMLOListElement> {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const { current } = list
    const go = (event: KeyboardEvent) => {
      const step = STEPS[event.key]
      const menus = [...(current?.querySelectorAll<HTMLElement>(MENUS) ?? [])]
      const from = menus.indexOf(event.target as HTMLElement)
      if (!step || from === -1) return
      event.preventDefault()
      menus[from + step]?.focus()
    }
    current?.addEventListener('keydown', go)
    return () => current?.removeEventListener('keydown', go)
  }, [])
  return list
}
