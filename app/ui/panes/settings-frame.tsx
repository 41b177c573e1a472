import { NavLink } from '@remix-run/react'
import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import './settings-frame.css'

export type SettingsEntry = { to: string; label: string; icon: IconName; tone?: 'alarm' }
type SettingsFrameProps = {
  entries: readonly SettingsEntry[]
  /** One of the entries is open: a phone shows it alone, and the list otherwise. */
  open: boolean
  children: ReactNode
}

/** The list of settings beside the one that is open. */
export function SettingsFrame({ entries, open, children }: SettingsFrameProps) {
  return (
    <div className={classes('settings', open && 'settings-opened')}>
      <nav className="settings-list" aria-label="Settings">
        {entries.map(({ to, label, icon, tone }) => (
          <NavLink key={label} to={to} end className={classes('settings-entry', tone && 'settings-entry-alarm')}>
            <Icon name={icon} />
            {label}
          </NavLink>
        ))}
      </nav>
      <div className="settings-page">{children}</div>
    </div>
  )
}
