import { Link } from '@remix-run/react'
import { Badge } from './badge.tsx'
import './tabs.css'

export type Tab = { to: string; label: string; current: boolean; count?: number }

/** Links that look like tabs: each is a page of its own, so they work without script and can be shared. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab.to}>
            <Link to={tab.to} aria-current={tab.current ? 'page' : undefined} preventScrollReset replace>
              {tab.label}
              <Badge count={tab.count ?? 0} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
