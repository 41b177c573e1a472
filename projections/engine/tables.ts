import type pg from 'pg'
import type { AnyTable, Projection } from '../projection.ts'
import { schemaOf, type Target } from './checkpoints.ts'
import { layoutOf } from './columns.ts'
import { tableIn } from './rows.ts'
import { quoted } from './sql.ts'

const NAME = /^[a-z][a-z0-9_]*$/

/** Throws for a projection that the engine cannot keep: a name or a column type that is none. */
export function checkProjection({ name, version, tables }: Projection): void {
  if (!NAME.test(name)) throw new Error(`"${name}" is no name for a projection`)
  if (!Number.isInteger(version) || version < 1) throw new Error(`${name}: versions are counted from 1`)
  for (const table of tables) layoutOf(table)
}

/** The schema of a target with its empty tables; indexes come after filling. */
export async function createTables(db: pg.ClientBase, projection: Projection, target: Target): Promise<void> {
  const schema = schemaOf(target)
  await db.query(`create schema ${quoted(schema)}`)
  for (const table of projection.tables) {
    const columns = Object.entries(table.columns).map(([name, type]) => `${quoted(name)} ${type}`)
    const key = `primary key (${table.key.map(quoted).join()})`
    await db.query(`create table ${tableIn(schema, layoutOf(table))} (${[...columns, key].join()})`)
    const unsampled = table.unsampled?.map((name) => `alter column ${quoted(name)} set statistics 0`)
    if (unsampled) await db.query(`alter table ${tableIn(schema, layoutOf(table))} ${unsampled.join()}`)
  }
}

/** Those of one table that serve look-ups by these columns. */
export type IndexesFor = { readonly table: AnyTable; readonly columns: readonly string[] }

/** `analyse`: all tables, and not only those that an index was made for. */
export type Indexing = { readonly only?: IndexesFor; readonly analyse?: 'all' }

/** The indexes that are not there yet. */
export async function createIndexes(
  db: pg.ClientBase,
  projection: Projection,
  target: Target,
  { only, analyse }: Indexing = {},
): Promise<void> {
  const schema = schemaOf(target)
  for (const table of only ? [only.table] : projection.tables) {
    let isNew = analyse === 'all'
    for (const { name, on } of indexesOf(table, only)) {
      if (await isThere(db, schema, name)) continue
      await db.query(`create index ${quoted(name)} on ${tableIn(schema, layoutOf(table))} ${on}`)
      isNew = true
    }
    if (isNew) await db.query(`analyze ${tableIn(schema, layoutOf(table))}`)
  }
}

type Index = { readonly name: string; readonly on: string }

function indexesOf(table: AnyTable, only: IndexesFor | undefined): Index[] {
  const all = (table.indexes ?? []).map(({ on, where }, at) => ({
    name: `${table.name}_${at + 1}`,
    first: firstOf(on),
    on: `(${on})${where ? ` where ${where}` : ''}`,
  }))
  if (only) return all.filter(({ first }) => only.columns.includes(first))
  return table.expires ? [...all, byEnd(table.name, quoted(table.expires))] : all
}

/** By which the rows whose time has passed are found. */
const byEnd = (table: string, column: string): Index => ({
  name: `${table}_expires`,
  on: `(${column}) where ${column} is not null`,
})

async function isThere(db: pg.ClientBase, schema: string, index: string): Promise<boolean> {
  const { rowCount } = await db.query('select from pg_indexes where schemaname = $1 and indexname = $2', [
    schema,
    index,
  ])
  return rowCount !== 0
}

const firstOf = (on: string): string => on.split(/[ ,]/, 1)[0]!

/** Makes readers see this target. A view cannot change its columns, so it is dropped and made again. */
export async function pointViews(db: pg.ClientBase, tables: readonly AnyTable[], target: Target): Promise<void> {
  for (const table of tables) {
    const layout = layoutOf(table)
    const columns = layout.columns.map(({ name }) => quoted(name)).join()
    await db.query(`drop view if exists read.${quoted(table.name)}`)
    await db.query(
      `create view read.${quoted(table.name)} as select ${columns} from ${tableIn(schemaOf(target), layout)}`,
    )
  }
}

/** The views that show a target's tables, of whatever code version it is. */
export async function viewsOf(db: pg.ClientBase, target: Target): Promise<string[]> {
  const { rows } = await db.query<{ view: string }>(
    `select distinct view_name as view from information_schema.view_table_usage
     where view_schema = 'read' and table_schema = $1`,
    [schemaOf(target)],
  )
  return rows.map(({ view }) => view)
}

export async function dropViewsOf(db: pg.ClientBase, target: Target): Promise<void> {
  for (const view of await viewsOf(db, target)) await db.query(`drop view read.${quoted(view)}`)
}

export async function dropTables(db: pg.ClientBase, target: Target): Promise<void> {
  await db.query(`drop schema if exists ${quoted(schemaOf(target))} cascade`)
}
