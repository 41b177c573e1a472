import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { OPENED } from '../dialog.tsx'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import './list-rows.css'

type RowText = {
  icon?: IconName
  label: string
  /** What is stored; null asks for it, and what is left out is nothing to show. */
  value?: string | null
}

export type ListRow = RowText & {
  /** Also the fragment that leads to the row. */
  id: string
  to: string
  /** It opens as a sheet over its own page. */
  opens?: boolean
  /** What came of it last. */
  note?: ReactNode
}

const OVER_THE_PAGE = { preventScrollReset: true, state: OPENED }

/** The icon and the words of a row. */
export function RowWords({ icon, label, value }: RowText) {
  return (
    <>
      {icon ? <Icon name={icon} /> : null}
      <span className="list-words">
        <span className="list-label">{label}</span>
        {value === undefined ? null : (
          <span className={classes('list-value', value === null && 'list-asks')}>{value ?? 'Add'}</span>
        )}
      </span>
    </>
  )
}

type ListRowsProps = {
  title?: string
  rows?: readonly ListRow[]
  /** Rows of another kind, below them: `PlainRow`, `ToggleRow`. */
  children?: ReactNode
}

/** Rows below each other: what each is about, what it is, and the way to change it. */
export function ListRows({ title, rows, children }: ListRowsProps) {
  return (
    <section className="stack stack-s">
      {title ? <h2 className="list-title">{title}</h2> : null}
      <ul className="list-rows">
        {rows?.map(({ id, to, opens, note, ...words }) => (
          <li key={id} id={id}>
            <Link to={to} className="list-row" {...(opens && OVER_THE_PAGE)}>
              <RowWords {...words} />
              <Icon name="chevron-right" size="s" />
            </Link>
            {note}
          </li>
        ))}
        {children}
      </ul>
    </section>
  )
}
