import type { AtMost, SetChange } from '../../projection.ts'
import type { Scalar } from '../../table.ts'
import { type AnyRow, type Column, MisfitRow, normalValue, type TableLayout } from '../columns.ts'

/** A change by `where` at a time of the read model; `erases`: of an erasure, which may be made in pieces. */
export type TimedSet = SetChange & { readonly clock?: Date; readonly erases?: true }

/** A `where` by what it asks of a column. */
export type Asked = {
  readonly equal: AnyRow
  readonly atMost: Readonly<Record<string, AtMost['atMost']>>
}

const isAtMost = (wanted: Scalar | AtMost): wanted is AtMost =>
  typeof wanted === 'object' && wanted !== null && 'atMost' in wanted

export function askedBy(where: SetChange['where']): Asked {
  const equal: Record<string, unknown> = {}
  const most: Record<string, AtMost['atMost']> = {}
  for (const [name, wanted] of Object.entries(where)) {
    if (isAtMost(wanted)) most[name] = wanted.atMost
    else equal[name] = wanted
  }
  return { equal, atMost: most }
}

/** Whether none of the row's values is behind the most that it may be. */
export function isWithin(row: AnyRow, most: Asked['atMost']): boolean {
  return Object.entries(most).every(([name, value]) => {
    const own = row[name] as typeof value | null | undefined
    return own !== null && own !== undefined && own <= value
  })
}

/**
 * The change with its values as rows have them. Throws MisfitRow for one that memory and the database could take
 * differently: a value that does not fit, or an order of text that is not the log's.
 */
export function checkedSet(layout: TableLayout, change: TimedSet): TimedSet {
  for (const name of Object.keys(change.where)) comparable(layout, name, change.where[name]!)
  if (!change.set) return change
  const set = Object.fromEntries(
    Object.entries(change.set).map(([name, value]) => [name, normalValue(layout, columnOf(layout, name), value)]),
  )
  return { ...change, set: set as NonNullable<SetChange['set']> }
}

/**
 * Whether it could make a row last longer: then it meets none whose time has passed. Any other meets those too, so that an
 * erasure reaches what is not removed yet.
 */
export const revives = ({ expires }: TableLayout, set: SetChange['set']): boolean =>
  expires !== undefined && set !== null && expires in set

export function columnOf(layout: TableLayout, name: string): Column {
  const column = layout.byName.get(name)
  if (!column) throw new MisfitRow(`${layout.name} has no column ${name}`)
  return column
}

function comparable(layout: TableLayout, name: string, wanted: Scalar | AtMost): void {
  const { compares, ordered } = columnOf(layout, name)
  const fits = isAtMost(wanted) ? ordered : compares
  if (!fits) throw new MisfitRow(`${layout.name}.${name} cannot be compared`)
}
