import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { OPENED } from '../dialog.tsx'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import './setting-rows.css'

export type SettingRow = {
  /** Also the fragment that leads to the row. */
  id: string
  to: string
  icon: IconName
  label: string
  /** What is stored; null asks for it. */
  value: string | null
  /** What came of it last. */
  note?: ReactNode
}

const OVER_THE_PAGE = { preventScrollReset: true, state: OPENED }

/** The own profile as others get it. */
export const SEEN: SettingRow = {
  id: 'seen',
  to: '/profile/seen/stranger',
  icon: 'eye',
  label: 'See yourself as others do',
  value: 'As a stranger, a match or everyone',
}

/** Settings below each other: what each is about, what it is, and the way to change it. */
export function SettingRows({ title, rows }: { title: string; rows: readonly SettingRow[] }) {
  return (
    <section className="stack stack-s">
      <h2 className="setting-title">{title}</h2>
      <ul className="setting-rows">
        {rows.map(({ id, to, icon, label, value, note }) => (
          <li key={id} id={id}>
            <Link to={to} className="setting-row" {...(to.includes('section=') && OVER_THE_PAGE)}>
              <Icon name={icon} />
              <span className="setting-words">
                <span className="setting-label">{label}</span>
                <span className={classes('setting-value', value === null && 'setting-open')}>{value ?? 'Add'}</span>
              </span>
              <Icon name="chevron-right" size="s" />
            </Link>
            {note}
          </li>
        ))}
      </ul>
    </section>
  )
}
