import { Link, useNavigate } from '@remix-run/react'
import { type ReactNode, useId, useRef } from 'react'
import { Icon } from './picture/icon.tsx'
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts'
import './dialog.css'

type DialogProps = {
  title: string
  /** Where closing leads: the page without the dialog. The server renders the dialog when the address asks for it. */
  closeTo: string
  children: ReactNode
}

/**
 * A native dialog that an address opens, such as `/login?forgot`: without script it stands open on the page, with it
 * it becomes modal, keeps the focus, on what is wrong if something is, and closes on Escape.
 */
export function Dialog({ title, closeTo, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  const titleId = useId()
  // Closed before it leaves the page: only then the focus goes back to what opened it.
  useBrowserLayoutEffect(() => {
    const box = dialog.current
    if (!box) return
    box.close()
    box.showModal()
    box.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    return () => box.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      open
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        navigate(closeTo, { preventScrollReset: true, replace: true })
      }}
    >
      <header className="row spread">
        <h2 id={titleId}>{title}</h2>
        <Link to={closeTo} className="icon-button icon-button-plain" aria-label="Close" preventScrollReset replace>
          <Icon name="x" />
        </Link>
      </header>
      {children}
    </dialog>
  )
}
