import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import './panes.css'

type PanesProps = { as?: 'div' | 'article'; className?: string; children: ReactNode }

/**
 * Up to three panes beside each other from 1024 px: `Pane`s at the sides, and between them what the page is about, which a
 * narrower window shows alone.
 */
export function Panes({ as: Element = 'div', className, children }: PanesProps) {
  return <Element className={classes('panes', className)}>{children}</Element>
}

type PaneProps = {
  /** `side` holds a list on the left, `detail` on the right what belongs to the middle. */
  place: 'side' | 'detail'
  /** Its name among the landmarks of the page. */
  label: string
  className?: string
  children: ReactNode
}

/** A pane at a side. Pictures in it load lazily: no phone asks for what it does not show. */
export function Pane({ place, label, className, children }: PaneProps) {
  return (
    <aside className={classes(`pane-${place}`, className)} aria-label={label}>
      {children}
    </aside>
  )
}
