import type { ReactNode } from 'react'
import './confirm-points.css'

/** What a step that cannot be taken back does. Each `<li>` is one sentence. */
export function ConfirmPoints({ children }: { children: ReactNode }) {
  return <ul className="confirm-points">{children}</ul>
}
