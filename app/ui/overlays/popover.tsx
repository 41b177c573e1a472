import { useLocation } from '@remix-run/react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import './popover.css'

type PopoverProps = {
  /** Names the button, where an icon alone is on it, and what it opens. */
  label: string
  icon?: IconName
  /** Words on the button; without them the icon stands alone. */
  words?: string
  /** The end of the button that it is in line with, where there is room. */
  at?: 'start' | 'end'
  children: ReactNode
}

/** React has no types for them before its version 19. */
const AUTO = { popover: 'auto' }
const opens = (id: string) => ({ popovertarget: id })

/**
 * A small box beside the button that opens it, on the side where there is room. It is the browser's own and needs no script:
 * Escape and a click elsewhere close it, and the focus goes back. What must be answered belongs in a Dialog.
 */
export function Popover({ label, icon, words, at = 'start', children }: PopoverProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes it
  useEffect(() => {
    if (box.current?.matches(':popover-open')) box.current.hidePopover()
  }, [key])
  const look = words ? 'button button-secondary' : 'icon-button icon-button-plain'
  return (
    <div className="popover-anchor">
      <button
        type="button"
        className={classes('popover-button', look)}
        {...opens(id)}
        {...(!words && { 'aria-label': label, title: label })}
      >
        {icon ? <Icon name={icon} /> : null}
        {words ? <span>{words}</span> : null}
      </button>
      <div ref={box} id={id} className={`popover popover-${at}`} role="dialog" aria-label={label} {...AUTO}>
        {children}
      </div>
    </div>
  )
}
