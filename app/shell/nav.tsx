import { NavLink } from '@remix-run/react'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import type { IconName } from '../ui/picture/icon-names.ts'
import { notificationCount, type ShellMember } from './shell.ts'
import './nav.css'

/** A main page; `count` of what is new there, with its name. */
export type NavPlace = { to: string; label: string; icon: IconName; count?: number; counted?: string }

function placesFor({ unread }: ShellMember): NavPlace[] {
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

/** The main pages of a member that exist (ruling R40); once in the top bar and once at the bottom of a phone. */
export function Nav({ member, position }: { member: ShellMember; position: 'top' | 'bottom' }) {
  return (
    <NavBar
      position={position}
      label={position === 'top' ? 'Main' : 'Main, at the bottom'}
      places={placesFor(member)}
    />
  )
}

type NavBarProps = { position: 'top' | 'bottom'; label: string; places: readonly NavPlace[] }

/** Has room for six places: from the fifth on, words give way where there is none for them. */
export function NavBar({ position, label, places }: NavBarProps) {
  return (
    <nav className={`nav nav-${position}`} aria-label={label}>
      <ul>
        {places.map((entry) => (
          <li key={entry.label}>
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
