import { capped } from '../words/capped.ts'
import './badge.css'

/** A count, capped at 99+ (spec 2 §2); nothing at zero. `label` names what is counted: '3 unread messages'. */
export function Badge({ count, label }: { count: number; label?: string }) {
  if (count <= 0) return null
  const shown = capped(count)
  return (
    <span className="badge">
      {label ? <span aria-hidden="true">{shown}</span> : shown}
      {label ? <span className="visually-hidden">{` ${shown} ${label}`}</span> : null}
    </span>
  )
}

/** A word or two on a soft ground; `shared` marks what both have in common. */
export function Chip({ children, tone = 'plain' }: { children: string; tone?: 'plain' | 'shared' }) {
  return (
    <span className={`chip chip-${tone}`}>
      {children}
      {tone === 'shared' ? <span className="visually-hidden"> (in common)</span> : null}
    </span>
  )
}
