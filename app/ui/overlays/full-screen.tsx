import { useNavigate } from '@remix-run/react'
import { type KeyboardEventHandler, type ReactNode, useRef } from 'react'
import { classes } from '../classes.ts'
import { useBrowserLayoutEffect } from '../use-browser-layout-effect.ts'
import './full-screen.css'

/** For links that leaf through what it shows: the page below stays where it is, and Back leaves it. */
export const QUIETLY = { preventScrollReset: true, replace: true } as const

type FullScreenProps = {
  label: string
  className: string
  /** The page below, where Escape leads. */
  closeTo: string
  /** What has the focus once it is closed: what opens it on the page, whatever did so. */
  openerOf: () => HTMLElement | null
  onKeyDown?: KeyboardEventHandler
  children: ReactNode
}

/**
 * A dialog as large as the window, black in every theme, that an address opens: without script it stands open on the page
 * and its links lead on; with it the focus stays inside and goes back to what opened it.
 */
export function FullScreen({ label, className, closeTo, openerOf, onKeyDown, children }: FullScreenProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  const opener = useRef(openerOf)
  opener.current = openerOf
  // Closed before it leaves the page: only then the focus goes back to what opened it.
  useBrowserLayoutEffect(() => {
    const box = dialog.current
    box?.close()
    box?.showModal()
    return () => {
      box?.close()
      opener.current()?.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      open
      className={classes('full-screen', className)}
      aria-label={label}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        navigate(closeTo, QUIETLY)
      }}
    >
      {children}
    </dialog>
  )
}
