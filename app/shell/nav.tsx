import { NavLink } from '@remix-run/react'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import type { IconName } from '../ui/picture/icon-names.ts'
import { notificationCount, type ShellMember } from './shell.ts'
import './nav.css'

type Entry = { to: string; label: string; icon: IconName; count?: number; counted?: string }

function entriesFor({ unread }: ShellMember): Entry[] {
  const buzzed = unread.buzzes
  return [
    { to: '/discover', label: 'Discover', icon: 'compass' },
    { to: '/chat', label: 'Chat', icon: 'message-circle', count: unread.chat, counted: 'unread' },
    {
      to: '/notifications',
      label: 'Notifications',
      icon: 'bell',
      count: notificationCount(unread),
      counted: buzzed > 0 ? (buzzed === 1 ? 'buzz' : 'buzzes') : 'new',
    },
    { to: '/profile', label: 'Profile', icon: 'user-round' },
  ]
}

/** The four main pages of a member; once in the top bar and once at the bottom of a phone. */
export function Nav({ member, position }: { member: ShellMember; position: 'top' | 'bottom' }) {
  return (
    <nav className={`nav nav-${position}`} aria-label={position === 'top' ? 'Main' : 'Main, at the bottom'}>
      <ul>
        {entriesFor(member).map((entry) => (
          <li key={entry.to}>
            <NavLink to={entry.to} prefetch="intent">
              <span className="nav-icon">
                <Icon name={entry.icon} />
                <Badge count={entry.count ?? 0} {...(entry.counted && { label: entry.counted })} />
              </span>
              <span className="nav-label">{entry.label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
