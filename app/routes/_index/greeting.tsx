import { Link } from '@remix-run/react'
import type { ShellMember } from '../../shell/shell.ts'
import { ThemeToggle } from '../../shell/theme-toggle.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import type { IconName } from '../../ui/picture/icon-names.ts'
import { Honeycomb } from './honeycomb.tsx'
import './greeting.css'

type EntryProps = { to: string; icon: IconName; title: string; text: string; count?: number; first?: boolean }

function Entry({ to, icon, title, text, count = 0, first = false }: EntryProps) {
  return (
    <Link to={to} className={first ? 'entry entry-first' : 'entry'} prefetch="intent">
      <span className="entry-words">
        <span className="entry-title">
          <Icon name={icon} />
          {title}
          <Badge count={count} label="unread" />
        </span>
        <span className="entry-text">{text}</span>
      </span>
      {first ? <Honeycomb /> : null}
      <Icon name="arrow-right" className="entry-arrow" />
    </Link>
  )
}

/** Where each may go (ruling R13, ruling R25). */
const FIRST: Record<ShellMember['status'], EntryProps> = {
  active: { to: '/discover', icon: 'compass', title: 'Discover', text: 'See who is around you today.' },
  onboarding: { to: '/register', icon: 'pencil', title: 'Finish signing up', text: 'A few steps, then you are in.' },
  deactivated: {
    to: '/settings/delete',
    icon: 'moon-star',
    title: 'Your account is deactivated',
    text: 'Come back, or leave for good.',
  },
}

/** The landing page of a member (spec 1 §2). */
export function Greeting({ member }: { member: ShellMember }) {
  const { chat } = member.unread
  return (
    <section className="greeting">
      <h1>Hi {member.firstName.trim() || 'there'}</h1>
      <div className="entries">
        <Entry first {...FIRST[member.status]} />
        {member.status === 'active' ? (
          <Entry
            to="/chat"
            icon="message-circle"
            title="Chat"
            text={chat > 0 ? 'Somebody wrote to you.' : 'Chat with the people you match with.'}
            count={chat}
          />
        ) : null}
      </div>
      <ThemeToggle look="pill" />
    </section>
  )
}
