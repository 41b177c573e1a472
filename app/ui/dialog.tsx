import { Link, useLocation, useNavigate } from '@remix-run/react'
import { type MouseEvent, type ReactNode, useCallback, useId, useRef } from 'react'
import { isFocusLost } from '../shell/lost-focus.ts'
import { Icon } from './picture/icon.tsx'
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts'
import './dialog.css'

type DialogProps = {
  title: string
  /** Where closing leads: the page without the dialog. The server renders the dialog when the address asks for it. */
  closeTo: string
  /** On a phone a sheet or a panel stands at the foot of the window; from 1024 px a panel stands at its side. */
  look?: 'box' | 'sheet' | 'panel'
  /** The id of what holds the link that opens it: that link has the focus once it is closed, also where an address opened it. */
  opener?: string
  /** It asks before something that cannot be taken back: it begins at its title, also where it has fields. */
  grave?: boolean
  children: ReactNode
}

/** The state of a link that opens a dialog over its own page: closing it is then the way back. */
export const OPENED = { opened: true }

/** Leads to the page without the dialog, which Back does not open again. */
export function useClose(closeTo: string): () => void {
  const navigate = useNavigate()
  const isOpened = (useLocation().state as typeof OPENED | null)?.opened === true
  return useCallback(() => {
    if (isOpened) navigate(-1)
    else navigate(closeTo, { preventScrollReset: true, replace: true })
  }, [navigate, closeTo, isOpened])
}

/** The browser's own: another tab or window. */
const isOwnClick = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) => ctrlKey || metaKey || shiftKey || altKey

const FIELD = ':is(input,select,textarea):enabled:not([type=hidden],[tabindex="-1"])'

/** What the focus begins with: what is wrong, else the first field, of radios the chosen one, else the title. */
function beginning(box: HTMLElement, grave: boolean): HTMLElement | null {
  const first = (what: string) => box.querySelector<HTMLInputElement>(what)
  const field = grave ? null : first(FIELD)
  const chosen = field?.type === 'radio' && first(`[name="${field.name}"]:checked`)
  return first('[aria-invalid]') ?? (chosen || field) ?? first('h2')
}

/**
 * A native dialog that an address opens, such as `/login?forgot`: without script it stands open on the page, with it
 * it becomes modal, has the focus where one begins (`beginning`), keeps it, and closes on Escape.
 */
export function Dialog({ title, closeTo, look = 'box', grave = false, opener, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useClose(closeTo)
  const titleId = useId()
  // Closed before it leaves the page: only then the focus goes back to what opened it.
  useBrowserLayoutEffect(() => {
    const box = dialog.current
    if (!box) return
    box.close()
    box.showModal()
    beginning(box, grave)?.focus()
    return () => {
      box.close()
      if (opener && isFocusLost()) document.querySelector<HTMLElement>(`#${opener} a`)?.focus()
    }
  }, [grave, opener])
  return (
    <dialog
      ref={dialog}
      open
      className={`dialog dialog-${look}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <Link
          to={closeTo}
          className="icon-button icon-button-plain"
          aria-label="Close"
          onClick={(event) => {
            if (isOwnClick(event)) return
            event.preventDefault()
            close()
          }}
        >
          <Icon name="x" />
        </Link>
      </header>
      {children}
    </dialog>
  )
}
