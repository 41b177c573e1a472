import type { RecordedEvent } from '../../../domain/all-events.ts'
import type { Change, Projection } from '../../projection.ts'
import { changesOf } from '../fold.ts'

type Named = Extract<Change, { readonly key: unknown }>

/**
 * The projection, but that an erasure changes only rows that those of the events before it name by key: it was done as it came, and
 * others may have written since what it would meet.
 */
export function erasingAgain(projection: Projection, events: readonly RecordedEvent[]): Projection {
  const { AccountErased: erase, ...when } = projection.when
  if (!erase) return projection
  const named = (event: RecordedEvent): Named[] => {
    const before = events.filter(({ position }) => position < event.position)
    const rows = changesOf({ ...projection, when }, before).filter((change) => 'key' in change)
    return [...new Map(rows.map((row) => [JSON.stringify([row.table.name, row.key]), row])).values()]
  }
  const AccountErased: typeof erase = (event) => {
    const rows = named(event)
    return erase(event).flatMap((change) => rows.flatMap((row) => (meets(change, row) ? [within(change, row)] : [])))
  }
  return { ...projection, when: { ...when, AccountErased } }
}

/** Whether it may change the row, by what the row's key shows. */
function meets(change: Change, { table, key }: Named): boolean {
  if (change.table !== table) return false
  const asked: Readonly<Record<string, unknown>> = 'key' in change ? change.key : change.where
  return Object.keys(key).every(
    (name) => !(name in asked) || typeof asked[name] === 'object' || asked[name] === key[name],
  )
}

const within = (change: Change, { key }: Named): Change =>
  'key' in change ? change : { ...change, where: { ...key, ...change.where } }
