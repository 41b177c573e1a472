import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { IconButton } from '../button.tsx'
import './sheet.css'

/** Dragged down so far, or so fast, it closes; less springs back. */
const CLOSE_PX = 80
const CLOSE_PX_PER_MS = 0.5
const FOCUSABLE = 'a[href], button:not([disabled]), input, select, textarea, [tabindex="0"]'

type SheetProps = {
  title: string
  /** Its name, where the title alone would not be one. */
  label?: string
  onClose: () => void
  children: ReactNode
}

/**
 * A sheet at the foot of the element that it stands in, which stays in view. It has the focus and keeps it, and closes on
 * Escape, by its button, and dragged down by its head. What is beside it can still be pressed.
 */
export function Sheet({ title, label, onClose, children }: SheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  useBorrowedFocus(sheet)
  const drag = useDragDown(sheet, onClose)
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') onClose()
    if (event.key === 'Tab') goRound(event, sheet.current)
  }
  return (
    <div className="sheet" role="dialog" aria-label={label ?? title} tabIndex={-1} ref={sheet} onKeyDown={onKeyDown}>
      <header className="sheet-head" {...drag}>
        <span className="sheet-grip" aria-hidden="true" />
        <p className="sheet-title">{title}</p>
        <IconButton icon="x" label="Close" onClick={onClose} />
      </header>
      <div className="sheet-body">{children}</div>
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

/** Past its last control comes the first one again. */
function goRound(event: KeyboardEvent, sheet: HTMLElement | null): void {
  const all = [...(sheet?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
  const [from, to] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]]
  const isAtEnd = document.activeElement === from || (event.shiftKey && document.activeElement === sheet)
  if (!isAtEnd) return
  event.preventDefault()
  to?.focus()
}

function useDragDown(sheet: React.RefObject<HTMLElement>, onClose: () => void) {
  const drag = useRef<{ pointer: number; y: number; at: number } | null>(null)
  function show(dy: number | null): void {
    const { current } = sheet
    if (!current) return
    current.toggleAttribute('data-dragging', dy !== null)
    current.style.transform = dy === null ? '' : `translateY(${Math.max(0, dy)}px)`
  }
  function onPointerDown(event: PointerEvent<HTMLElement>): void {
    if (!event.isPrimary || (event.target as HTMLElement).closest('button')) return
    drag.current = { pointer: event.pointerId, y: event.clientY, at: event.timeStamp }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent): void {
    if (drag.current?.pointer === event.pointerId) show(event.clientY - drag.current.y)
  }
  function onPointerEnd(event: PointerEvent): void {
    if (drag.current?.pointer !== event.pointerId) return
    const { y, at } = drag.current
    drag.current = null
    show(null)
    const down = event.clientY - y
    const isQuick = down > CLOSE_PX / 4 && down / Math.max(1, event.timeStamp - at) > CLOSE_PX_PER_MS
    if (event.type === 'pointerup' && (down > CLOSE_PX || isQuick)) onClose()
  }
  return { onPointerDown, onPointerMove, onPointerUp: onPointerEnd, onPointerCancel: onPointerEnd }
}
