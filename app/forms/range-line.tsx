import type { ReactNode } from 'react'
import './range-line.css'

type RangeLineProps = {
  /** The chosen stretch, as shares of the whole: 0 to 1. */
  from: number
  to: number
  /** The sliders that lie on it. */
  children: ReactNode
}

/** The line of a slider, filled where it is chosen. A number field beside it is the same for those who see no line. */
export function RangeLine({ from, to, children }: RangeLineProps) {
  const bar = (element: HTMLSpanElement | null) => {
    element?.style.setProperty('--from', String(from))
    element?.style.setProperty('--to', String(to))
  }
  return (
    <div className="range-line" aria-hidden="true">
      <span className="range-bar" ref={bar} />
      {children}
    </div>
  )
}
