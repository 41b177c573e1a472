import { useEffect, useRef, useSyncExternalStore } from 'react'

const OFF = 'deck-keys-off'
const CHANGED = 'deck-keys'
const KEYS_OF_THEIR_OWN = 'input, textarea, select, dialog, [role=dialog], [role=menu], details, .photo-steps'

/**
 * What single keys do on the page, once for each press; never while something is being typed, photos are turned over or a
 * dialog is open, nor where the member switched the keys off (WCAG 2.1.4).
 */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const { on } = useShortcuts()
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    if (!on) return
    const onKey = (event: KeyboardEvent) => {
      const elsewhere = (event.target as HTMLElement).closest(KEYS_OF_THEIR_OWN)
      if (elsewhere || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      latest.current[event.key]?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [on])
}

/** Whether single keys act on the deck. The browser keeps the choice. */
export function useShortcuts(): { readonly on: boolean; readonly toggle: () => void } {
  const on = useSyncExternalStore(listen, isOn, () => true)
  const toggle = () => {
    store(on ? 'yes' : null)
    window.dispatchEvent(new Event(CHANGED))
  }
  return { on, toggle }
}

/** A browser that keeps nothing for a page throws. */
function isOn(): boolean {
  try {
    return localStorage.getItem(OFF) === null
  } catch {
    return true
  }
}

function store(off: string | null): void {
  try {
    if (off === null) localStorage.removeItem(OFF)
    else localStorage.setItem(OFF, off)
  } catch {
    // The keys stay as they are.
  }
}

/** Of this page and of other tabs. */
function listen(changed: () => void): () => void {
  for (const name of [CHANGED, 'storage']) window.addEventListener(name, changed)
  return () => {
    for (const name of [CHANGED, 'storage']) window.removeEventListener(name, changed)
  }
}
