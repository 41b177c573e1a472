import { type FormEvent, type RefObject, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'
import { FIRST, focusHeading } from './use-rows-focus.ts'

/**
 * Keeps the focus near a row that changes under it: on the menu that it was in once the row is read, and on the next row, or the
 * one before, else on the heading, once this one is gone.
 */
export function useRowFocus(row: RefObject<HTMLLIElement>, isGone: boolean) {
  const beside = useRef<Element | null>(null)
  useBrowserLayoutEffect(() => {
    if (!isGone || !isFocusLost()) return
    const next = beside.current?.querySelector<HTMLElement>(FIRST)
    if (next) next.focus()
    else focusHeading(document)
  }, [isGone])
  return (event: FormEvent<HTMLFormElement>) => {
    beside.current = row.current?.nextElementSibling ?? row.current?.previousElementSibling ?? null
    const menu = event.currentTarget.closest('details')
    menu?.querySelector('summary')?.focus()
    if (menu) menu.open = false
  }
}

/**
 * Whoever matched back is at what follows a match, once the row has it: the moment of the match may have been closed before, and
 * what was pressed goes then. Returns what notes that it was pressed.
 */
export function useMatchFocus(row: RefObject<HTMLLIElement>, matched: boolean) {
  const pressed = useRef(false)
  useBrowserLayoutEffect(() => {
    if (matched && pressed.current && isFocusLost())
      row.current?.querySelector<HTMLElement>('[data-after-match]')?.focus()
  }, [matched])
  return () => {
    pressed.current = true
  }
}
