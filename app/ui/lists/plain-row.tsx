import { Link } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'
import { Avatar } from '../picture/avatar.tsx'
import { Icon } from '../picture/icon.tsx'
import { RowWords } from './list-rows.tsx'

type PlainRowProps = ComponentProps<typeof RowWords> & {
  id: string
  /** Who it is about, in place of an icon. */
  face?: { name: string; src: string | null }
  /** Where it leads; without, it is a fact. */
  to?: string
  tone?: 'alarm'
}

/** A row of `ListRows` about somebody, a fact, or something that deletes. */
export function PlainRow({ id, face, to, tone, ...words }: PlainRowProps) {
  const looks = classes('list-row', tone && 'list-row-alarm')
  const inside = (
    <>
      {face ? <Avatar {...face} /> : null}
      <RowWords {...words} />
      {to ? <Icon name="chevron-right" size="s" /> : null}
    </>
  )
  return (
    <li id={id}>
      {to ? (
        <Link to={to} className={looks}>
          {inside}
        </Link>
      ) : (
        <div className={looks}>{inside}</div>
      )}
    </li>
  )
}
