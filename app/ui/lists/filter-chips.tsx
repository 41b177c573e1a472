import { Link } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { Badge } from '../badge.tsx'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import './filter-chips.css'

/** `to` is the page with it on where it is off, and without it where it is on (`useComingSearch`). */
export type FilterChip = { to: string; label: string; isOn: boolean; icon?: IconName; count?: number }

type FilterChipsProps = {
  label: string
  chips: readonly FilterChip[]
  /** The page without any filter. */
  clearTo?: string
}

/** Filters of a list, on a phone in one row that scrolls sideways: each is a link, so they need no script and can be shared. */
export function FilterChips({ label, chips, clearTo }: FilterChipsProps) {
  const row = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const { current: list } = row
    const chip = list?.querySelector<HTMLElement>('[aria-current]')
    if (list && chip) list.scrollLeft = chip.offsetLeft - (list.clientWidth - chip.offsetWidth) / 2
  }, [])
  const isAnyOn = chips.some(({ isOn }) => isOn)
  return (
    <ul className="filter-chips" aria-label={label} ref={row}>
      {chips.map(({ to, label: name, isOn, icon, count }) => (
        <li key={name}>
          <Link to={to} className="filter-chip" aria-current={isOn || undefined} preventScrollReset replace>
            {isOn ? <Icon name="check" size="s" /> : icon ? <Icon name={icon} size="s" /> : null}
            {name}
            <Badge count={count ?? 0} />
          </Link>
        </li>
      ))}
      {clearTo && isAnyOn ? (
        <li>
          <Link to={clearTo} className="filter-chip filter-chip-clear" preventScrollReset replace>
            Clear
          </Link>
        </li>
      ) : null}
    </ul>
  )
}
