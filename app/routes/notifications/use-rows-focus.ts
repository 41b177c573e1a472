import { type FocusEvent, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'

/** In a row, where the focus begins. */
export const FIRST = '.notice-open button'

/** The heading has no place in the order of the keyboard, and may have the focus where nothing better is there. */
export function focusHeading(within: ParentNode): void {
  const heading = within.querySelector<HTMLElement>('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus()
}

/**
 * A focus that goes with its row, as of somebody who is gone, goes to the next row, or the one before, else to the heading.
 * What it answers is for what stands around the rows and the heading.
 */
export function useRowsFocus(rows: readonly unknown[]) {
  const page = useRef<HTMLDivElement>(null)
  const focused = useRef<Element | null>(null)
  const shown = useRef<readonly Element[]>([])
  useBrowserLayoutEffect(() => {
    const before = shown.current
    shown.current = [...(page.current?.querySelectorAll('.notice') ?? [])]
    const at = focused.current ? before.indexOf(focused.current) : -1
    if (at < 0 || focused.current?.isConnected || !isFocusLost()) return
    focused.current = null
    const row = [...before.slice(at), ...before.slice(0, at).reverse()].find(({ isConnected }) => isConnected)
    const next = row?.querySelector<HTMLElement>(FIRST)
    if (next) next.focus()
    else if (page.current) focusHeading(page.current)
  }, [rows])
  return {
    ref: page,
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target.closest('.notice')
    },
    // React calls it for none that goes with its row.
    onBlur: () => {
      focused.current = null
    },
  }
}
