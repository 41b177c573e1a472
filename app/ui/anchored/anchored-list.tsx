import { type ReactNode, useRef } from 'react'
import { ListEnd } from './list-end.tsx'
import { PlaceKeeper } from './place-keeper.tsx'
import './anchored-list.css'

/** What lies beyond an end of the rows that are in the page. */
export type Beyond = {
  label: string
  show: () => void
  /** The page with it, for the link without script. */
  to: string
  loading?: boolean
  failed?: string | null
}

type AnchoredListProps<Row> = {
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Null at the beginning, and at the end. */
  before: Beyond | null
  after: Beyond | null
  children: (row: Row) => ReactNode
}

/**
 * A list that scrolls in a box of its own and shows more at both ends, without what is read moving on the screen. Rows may
 * leave at one end as others come at the other.
 */
export function AnchoredList<Row>({ label, rows, keyOf, before, after, children }: AnchoredListProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const [first, last] = [rows[0], rows.at(-1)]
  const turn = `${first && keyOf(first)} ${last && keyOf(last)}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <section className="anchored" aria-label={label} ref={box} tabIndex={0}>
      {before ? <ListEnd {...before} more={{ box, turn, show: before.show }} /> : null}
      <PlaceKeeper box={box} rows=".anchored-row" span={`${turn} ${before === null}`}>
        <ol>
          {rows.map((row) => (
            <li key={keyOf(row)} className="anchored-row">
              {children(row)}
            </li>
          ))}
        </ol>
      </PlaceKeeper>
      {after ? <ListEnd {...after} more={{ box, turn, show: after.show }} /> : null}
    </section>
  )
}
