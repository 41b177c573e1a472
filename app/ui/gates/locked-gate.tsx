import { type ReactNode, useId } from 'react'
import { Icon } from '../picture/icon.tsx'
import './locked-gate.css'

type LockedGateProps = {
  title: string
  /** What opens it, in a sentence or two. */
  children: ReactNode
  /** The one way on: a link. */
  action: ReactNode
  /**
   * Shown out of focus behind the words: samples or drawings. Never what is locked, which whoever reads the page's source
   * would have.
   */
  preview?: ReactNode
  /** `premium` is opened by a plan, in gold; `plain` by something that the member does. */
  look?: 'premium' | 'plain'
}

/** In place of a feature that is not open to the member: what it is, what opens it, and the way there. */
export function LockedGate({ title, children, action, preview, look = 'premium' }: LockedGateProps) {
  const id = useId()
  return (
    <section className={`gate gate-${look}`} aria-labelledby={id}>
      {preview ? (
        <div className="gate-preview" aria-hidden="true" {...INERT}>
          {preview}
        </div>
      ) : null}
      <div className="gate-words">
        <span className="gate-lock">
          <Icon name="lock" />
        </span>
        <h2 className="gate-title" id={id}>
          {title}
        </h2>
        <div className="soft">{children}</div>
        {action}
      </div>
    </section>
  )
}

/** React does not know the attribute yet, and leaves one alone that is text. */
const INERT = { inert: '' } as object
