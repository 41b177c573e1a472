import type { ReactNode } from 'react'
import './person-list.css'

/** Members below each other. Each `<li>` holds a portrait, a name, and what can be done. */
export function PersonList({ id, children }: { id: string; children: ReactNode }) {
  return (
    <ul className="person-list" id={id}>
      {children}
    </ul>
  )
}
