import type { ReactNode } from 'react'
import './prose.css'

/** A page to read: headings, paragraphs and lists. */
export function Prose({ children }: { children: ReactNode }) {
  return <article className="column prose">{children}</article>
}
