import type { ReactNode } from 'react'
import './progress.css'

type ProgressProps = {
  label: string
  /** Without one it is under way. */
  value?: number
  max?: number
}

/** How far something has come, under its label. */
export function Progress({ label, value, max = 100 }: ProgressProps) {
  return (
    <label className="progress">
      <span className="small">{label}</span>
      <progress max={max} {...(value !== undefined && { value })} />
    </label>
  )
}

/** How far something has come, over a note on it; the label is for screen readers. */
export function NotedProgress({ label, value, children }: { label: string; value: number; children: ReactNode }) {
  return (
    <div className="progress">
      <progress max={100} value={value} aria-label={label} />
      <p className="soft">{children}</p>
    </div>
  )
}
