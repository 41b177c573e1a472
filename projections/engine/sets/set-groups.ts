import { tupleId } from '../columns.ts'
import { askedBy, type TimedSet } from './set-changes.ts'

/** Changes by `where` of one form, no row of which matches two of them: one statement, in whatever order it takes them. */
export type SetGroup = {
  readonly form: string
  readonly changes: TimedSet[]
  /** The values that each column has to equal in one of the changes. */
  readonly values: ReadonlyMap<string, Set<string>>
  /** Columns that the group changes. */
  readonly sets: ReadonlySet<string>
}

/** Groups that a change may move ahead of, so that the time is linear. */
const LOOKED_BACK = 8

/**
 * Changes of one table in groups whose statements, one after the other, do what the changes do in their order: one moves
 * to an earlier group of its form where no row matches it and anything between.
 */
export function groupsOf(changes: readonly TimedSet[]): SetGroup[] {
  const groups: SetGroup[] = []
  for (const change of changes) {
    const group = earlierFor(groups, change) ?? fresh(change)
    if (group.changes.length === 0) groups.push(group)
    group.changes.push(change)
    for (const [name, value] of equalIn(change)) group.values.get(name)!.add(value)
  }
  return groups
}

function earlierFor(groups: readonly SetGroup[], change: TimedSet): SetGroup | undefined {
  const form = formOf(change)
  for (const group of groups.slice(-LOOKED_BACK).reverse()) {
    if (!isApart(group, change)) return undefined
    if (group.form === form) return group
  }
  return undefined
}

/** Their rows differ in a column that neither changes. */
function isApart({ values, sets }: SetGroup, change: TimedSet): boolean {
  return equalIn(change).some(([name, value]) => {
    const known = values.get(name)
    return known && !known.has(value) && !sets.has(name) && !(change.set && name in change.set)
  })
}

const equalIn = ({ where }: TimedSet): [string, string][] =>
  Object.entries(askedBy(where).equal)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, tupleId(['value'], { value })])

function fresh(change: TimedSet): SetGroup {
  const values = new Map(equalIn(change).map(([name]) => [name, new Set<string>()]))
  return { form: formOf(change), changes: [], values, sets: new Set(Object.keys(change.set ?? {})) }
}

/** Changes of one form differ in their values alone. */
function formOf({ where, set }: TimedSet): string {
  const { equal, atMost } = askedBy(where)
  const of = (name: string) => (equal[name] === null ? [name, null] : [name])
  return JSON.stringify([Object.keys(equal).sort().map(of), Object.keys(atMost).sort(), set && Object.keys(set).sort()])
}
