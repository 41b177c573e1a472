import type { ReactNode } from 'react'
import './range-line.css'

type RangeLineProps = {
  /** The chosen stretch, as shares of the whole: 0 to 1. */
  from: number
  to: number
  /** Its slider has a name of its own: no field beside it is the same. */
  labelled?: boolean
  /** The sliders that lie on it. */
  children: ReactNode
}

/** The line of a slider, filled where it is chosen. A number field beside it is the same for those who see no line. */
export function RangeLine({ from, to, labelled = false, children }: RangeLineProps) {
  const bar = (element: HTMLSpanElement | null) => {
    element?.style.setProperty('--from', String(from))
    element?.style.setProperty('--to', String(to))
  }
  return (
    <div className="range-line" aria-hidden={!labelled || undefined}>
      <span className="range-bar" ref={bar} />
      {children}
    </div>
  )
}
