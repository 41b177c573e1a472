import { useLocation } from '@remix-run/react'
import { type RefObject, useEffect } from 'react'

/** Closes a `<details>` on Escape, which gives its summary the focus, on a press elsewhere, and with a new page. */
export function useClosing(details: RefObject<HTMLDetailsElement>): void {
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes it
  useEffect(() => {
    details.current?.removeAttribute('open')
  }, [details, key])
  useEffect(() => {
    const close = (event: Event) => {
      const { current: box } = details
      if (!box?.open) return
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return
        box.querySelector('summary')?.focus()
      } else if (box.contains(event.target as Node)) return
      box.open = false
    }
    document.addEventListener('keydown', close)
    document.addEventListener('pointerdown', close)
    return () => {
      document.removeEventListener('keydown', close)
      document.removeEventListener('pointerdown', close)
    }
  }, [details])
}
