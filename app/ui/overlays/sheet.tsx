import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import { useDragDown } from './drag-down.ts'
import './sheet.css'

const FOCUSABLE = 'a[href], button:not([disabled]), input, select, textarea, [tabindex="0"]'

type SheetProps = {
  title: string
  /** Its name, where the title alone would not be one. */
  label?: string
  /** Where it stands from 1024 px: at the foot as on a phone, or as a panel at the side, as high as its element. */
  wide?: 'foot' | 'side'
  onClose: () => void
  children: ReactNode
}

/** Keys that scroll: they act on what it holds though it has the focus itself. */
const SCROLLING = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', ' '])

/**
 * A sheet at the foot of the element that it stands in, which stays in view; in a low window it has the window. It has the
 * focus and keeps it, and closes on Escape, by its button, and dragged down by its head. What is beside it can still be
 * pressed. It needs script: what opens it is a link to a page with the same, until script runs.
 */
export function Sheet({ title, label, wide = 'foot', onClose, children }: SheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLElement>(null)
  useBorrowedFocus(sheet)
  const isWhole = useIsWhole(sheet)
  const drag = useDragDown(sheet, onClose)
  const name = label ?? title
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onClose()
    if (SCROLLING.has(event.key) && event.target === sheet.current) body.current?.focus()
    if (event.key === 'Tab') goRound(event, sheet.current)
  }
  return (
    <div
      className={classes('sheet', wide === 'side' && 'sheet-side')}
      role="dialog"
      aria-label={name}
      aria-modal={isWhole || undefined}
      tabIndex={-1}
      ref={sheet}
      onKeyDown={onKeyDown}
    >
      <header className="sheet-head" {...drag}>
        <span className="sheet-grip" aria-hidden="true" />
        <p className="sheet-title">{title}</p>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has the focus */}
      <section className="sheet-body" aria-label={name} tabIndex={0} ref={body}>
        {children}
      </section>
    </div>
  )
}

/** Takes the focus, and gives it back to what had it. */
function useBorrowedFocus(sheet: React.RefObject<HTMLElement>): void {
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    sheet.current?.focus({ preventScroll: true })
    return () => {
      if (isFocusLost() && before?.isConnected) before.focus({ preventScroll: true })
    }
  }, [sheet])
}

/** In a low window it has all of the window, as its styles decide: what it covers is there for nobody. */
function useIsWhole(sheet: React.RefObject<HTMLElement>): boolean {
  const [isWhole, setIsWhole] = useState(false)
  useEffect(() => {
    const look = () => setIsWhole(sheet.current !== null && getComputedStyle(sheet.current).position === 'fixed')
    look()
    window.addEventListener('resize', look)
    return () => window.removeEventListener('resize', look)
  }, [sheet])
  return isWhole
}

/** Past its last control comes the first one again. */
function goRound(event: KeyboardEvent, sheet: HTMLElement | null): void {
  const all = [...(sheet?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
  const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]]
  const isAtEnd = document.activeElement === from || (event.shiftKey && document.activeElement === sheet)
  if (!isAtEnd) return
  event.preventDefault()
  to?.focus()
}
