import { useRef } from 'react'
import { useBrowserLayoutEffect } from '../../ui/use-browser-layout-effect.ts'
import { NotificationRow } from './notification-row.tsx'
import type { Row } from './rows.ts'

/** One row for each person, in its place for as long as the page is open: a request becomes the match where it stands. */
export function NotificationList({ rows }: { rows: readonly Row[] }) {
  const steady = useSteadyOrder(rows)
  return (
    <ul className="notice-list" aria-label="Your notifications">
      {steady.map((row) => (
        <NotificationRow key={row.fromId} row={row} />
      ))}
    </ul>
  )
}

/** New ones come first, and those that were there stay in their order. */
function useSteadyOrder(rows: readonly Row[]): readonly Row[] {
  const order = useRef<readonly string[]>([])
  const places = new Map(order.current.map((person, place) => [person, place]))
  const placeOf = ({ fromId }: Row) => places.get(fromId) ?? -1
  const steady = [...rows].sort((one, other) => placeOf(one) - placeOf(other))
  useBrowserLayoutEffect(() => {
    order.current = steady.map(({ fromId }) => fromId)
  })
  return steady
}
