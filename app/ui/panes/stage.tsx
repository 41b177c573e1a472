import type { ReactNode } from 'react'
import './stage.css'

/** What is made for a phone, such as a story: the whole window there, and 9:16 in the middle of a desktop. */
export function Stage({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="stage" aria-label={label}>
      <div className="stage-screen">{children}</div>
    </section>
  )
}
