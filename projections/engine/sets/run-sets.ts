import type pg from 'pg'
import type { AnyRow, Column, TableLayout } from '../columns.ts'
import { carried, isAlive, named, quoted, unnested } from '../sql.ts'
import { askedBy, columnOf, revives, type TimedSet } from './set-changes.ts'
import { groupsOf, type SetGroup } from './set-groups.ts'

/** Changes by `where` as statements, in their order; rows are changed where they are. */
export async function runSets(
  db: pg.ClientBase,
  table: string,
  layout: TableLayout,
  sets: readonly TimedSet[],
): Promise<void> {
  for (const group of groupsOf(sets)) await runGroup(db, table, layout, group)
}

/** A value of each change; its name in the statement shows its use. */
type Carried = { readonly column: Column; readonly name: string; readonly of: (change: TimedSet) => unknown }

async function runGroup(db: pg.ClientBase, table: string, layout: TableLayout, { changes }: SetGroup): Promise<void> {
  const [{ where, set }] = changes as [TimedSet]
  const { equal, atMost } = askedBy(where)
  const names = Object.keys(equal).sort()
  const given = names.filter((name) => equal[name] !== null)
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
    ...equals.map((one) => `${inTable(one)} = ${inCarried(one)}`),
    ...most.map((one) => `${inTable(one)} <= ${inCarried(one)}`),
    ...ends.map((one) => isAlive(inTable(one), inCarried(one))),
    ...names.filter((name) => equal[name] === null).map((name) => `t.${quoted(name)} is null`),
    // What is so already is not written again.
    ...(set ? [`(${news.map(inTable).join()}) is distinct from (${news.map(inCarried).join()})`] : []),
  ]
  const all = [...equals, ...most, ...news, ...ends]
  const columns = all.map(({ column, name }) => ({ ...column, name }))
  const rows = changes.map((change): AnyRow => Object.fromEntries(all.map(({ name, of }) => [name, of(change)])))
  const text = statement(table, set && news, all.length > 0 ? unnested(columns) : null, conditions)
  await db.query({ ...named(text), values: carried(columns, rows) })
}

function statement(table: string, news: readonly Carried[] | null, from: string | null, on: readonly string[]): string {
  const where = on.length > 0 ? `where ${on.join(' and ')}` : ''
  if (!news) return `delete from ${table} t ${from ? `using ${from}` : ''} ${where}`
  const taken = news.map((one) => `${quoted(one.column.name)} = ${inCarried(one)}`)
  return `update ${table} t set ${taken.join()} from ${from} ${where}`
}

const inTable = ({ column }: Carried): string => `t.${quoted(column.name)}`
const inCarried = ({ column, name }: Carried): string => column.unpack(`u.${quoted(name)}`)
