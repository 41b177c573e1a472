import type pg from 'pg'
import type { SetChange } from '../../projection.ts'
import type { AnyRow, Column, TableLayout } from '../columns.ts'
import { carried, isAlive, named, quoted, unnested } from '../sql.ts'
import { askedBy, columnOf, revives, type TimedSet } from './set-changes.ts'
import { groupsOf } from './set-groups.ts'

type Db = Pick<pg.ClientBase, 'query'>

/** Changes by `where` as statements, in their order; rows are changed where they are. */
export async function runSets(db: Db, table: string, layout: TableLayout, sets: readonly TimedSet[]): Promise<void> {
  for (const { changes } of groupsOf(sets)) await runGroup(db, table, layout, changes)
}

/** Changes of one group in one statement. */
export async function runGroup(
  db: Db,
  table: string,
  layout: TableLayout,
  changes: readonly TimedSet[],
): Promise<void> {
  const asked = askedOf(layout, changes)
  await db.query({ ...named(statement(table, asked)), values: asked.values })
}

/** Changes no more than so many rows; answers how many. */
export async function runFirst(
  db: Db,
  table: string,
  layout: TableLayout,
  change: SetChange,
  most: number,
): Promise<number> {
  const asked = askedOf(layout, [change])
  const some = `t.ctid = any(array(${selected(table, asked)} limit ${most}))`
  const { rowCount } = await db.query({ ...named(statement(table, asked, some)), values: asked.values })
  return rowCount ?? 0
}

/** Where rows are that it would change. */
export async function placesOf(
  db: Db,
  table: string,
  layout: TableLayout,
  change: SetChange,
  most: number,
): Promise<string[]> {
  const asked = askedOf(layout, [change])
  const { rows } = await db.query<{ ctid: string }>(`${selected(table, asked)} limit ${most}`, asked.values)
  return rows.map(({ ctid }) => ctid)
}

/** Changes those of the rows at these places that are still its. */
export async function changeAt(
  db: Db,
  table: string,
  layout: TableLayout,
  change: SetChange,
  places: readonly string[],
): Promise<void> {
  const asked = askedOf(layout, [change])
  const some = `t.ctid = any($${asked.values.length + 1}::tid[])`
  await db.query({ ...named(statement(table, asked, some)), values: [...asked.values, places] })
}

/** A value of each change; its name in the statement shows its use. */
type Carried = { readonly column: Column; readonly name: string; readonly of: (change: TimedSet) => unknown }

/** `news`: what rows get, null where they go; `from`: the values of all changes as rows. */
type Asked = {
  readonly news: readonly Carried[] | null
  readonly from: string | null
  readonly conditions: readonly string[]
  readonly values: unknown[][]
}

function askedOf(layout: TableLayout, changes: readonly TimedSet[]): Asked {
  const [{ where, set }] = changes as [TimedSet]
  const { equal, atMost } = askedBy(where)
  const names = Object.keys(equal).sort()
  const given = names.filter((name) => equal[name] !== null)
  const isByKey = layout.key.every((name) => given.includes(name))
  const carry = (name: string, as: string, of: Carried['of']): Carried => ({
    column: columnOf(layout, name),
    name: `${as} ${name}`,
    of,
  })
  const equals = given.map((name) => carry(name, 'equal', (change) => askedBy(change.where).equal[name]))
  const most = Object.keys(atMost).map((name) => carry(name, 'most', (change) => askedBy(change.where).atMost[name]))
  const news = Object.keys(set ?? {}).map((name) => carry(name, 'set', (change) => change.set![name]))
  const ends = revives(layout, set) ? [carry(layout.expires!, 'clock', ({ clock }) => clock ?? new Date(0))] : []
  const conditions = [
    ...equals.map((one) => equality(one, isByKey && !layout.key.includes(one.column.name))),
    ...most.map((one) => `${inTable(one)} <= ${inCarried(one)}`),
    ...ends.map((one) => isAlive(inTable(one), inCarried(one))),
    ...names.filter((name) => equal[name] === null).map((name) => `t.${quoted(name)} is null`),
    // What is so already is not written again.
    ...(set ? [`(${news.map(inTable).join()}) is distinct from (${news.map(inCarried).join()})`] : []),
  ]
  const all = [...equals, ...most, ...news, ...ends]
  const columns = all.map(({ column, name }) => ({ ...column, name }))
  const rows = changes.map((change): AnyRow => Object.fromEntries(all.map(({ name, of }) => [name, of(change)])))
  const from = all.length > 0 ? unnested(columns) : null
  return { news: set && news, from, conditions, values: carried(columns, rows) }
}

const whereOf = (conditions: readonly string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '')

function statement(table: string, { news, from, conditions }: Asked, some?: string): string {
  const where = whereOf(some ? [...conditions, some] : conditions)
  if (!news) return `delete from ${table} t ${from ? `using ${from}` : ''} ${where}`
  const taken = news.map((one) => `${quoted(one.column.name)} = ${inCarried(one)}`)
  return `update ${table} t set ${taken.join()} from ${from} ${where}`
}

const selected = (table: string, { from, conditions }: Asked): string =>
  `select t.ctid from ${table} t${from ? `, ${from}` : ''} ${whereOf(conditions)}`

/** `is true` keeps it from an index: where no statistics are, all rows of a member could be read for each key. */
const equality = (one: Carried, isBesideKey: boolean): string =>
  isBesideKey ? `(${inTable(one)} = ${inCarried(one)}) is true` : `${inTable(one)} = ${inCarried(one)}`

const inTable = ({ column }: Carried): string => `t.${quoted(column.name)}`
const inCarried = ({ column, name }: Carried): string => column.unpack(`u.${quoted(name)}`)
