import { createHash } from 'node:crypto'
import pg from 'pg'
import { type AnyRow, type Column, type TableLayout, tupleId } from './columns.ts'
import { copyIn } from './fill/copy-in.ts'
import type { RowsToLoad } from './fold.ts'
import type { RowSet, Written } from './row-set.ts'

const INT8 = 20
const DATE = 1082
/** Rows in one statement: its arrays stay small enough to be planned and sent in one breath. */
const CHUNK = 10_000

const asFoldsSee: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') => {
    if (oid === INT8) return Number
    if (oid === DATE) return String
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

const quoted = pg.escapeIdentifier
/** A connection plans a statement once for all batches. */
const named = (text: string) => ({ name: createHash('sha256').update(text).digest('base64url'), text })
export const tableIn = (schema: string, layout: TableLayout): string => `${quoted(schema)}.${quoted(layout.name)}`

/** Brings the wanted rows into memory: a query for the keys, and one for each set of columns in a `where`. */
export async function loadRows(db: pg.ClientBase, schema: string, set: RowSet, wanted: RowsToLoad): Promise<void> {
  const { layout } = set
  const missing = new Map(wanted.keys)
  if (missing.size > 0) {
    const found = await select(db, schema, layout, layout.key, [...missing.values()])
    for (const row of found) {
      const id = set.idOf(row)
      set.hold(id, row)
      missing.delete(id)
    }
    for (const id of missing.keys()) set.hold(id, undefined)
  }
  for (const [columns, values] of byColumns([...wanted.wheres.values()])) {
    for (const row of await select(db, schema, layout, columns, values)) {
      const id = set.idOf(row)
      if (!set.has(id)) set.hold(id, row)
    }
  }
}

/** Tuples that can share a query: of the same columns, and null in the same ones. */
function byColumns(wheres: readonly AnyRow[]): [string[], AnyRow[]][] {
  const groups = new Map<string, [string[], AnyRow[]]>()
  for (const where of wheres) {
    const columns = Object.keys(where).sort()
    const name = tupleId(['of', 'nulls'], { of: columns, nulls: columns.filter((column) => where[column] === null) })
    const group = groups.get(name)
    if (group) group[1].push(where)
    else groups.set(name, [columns, [where]])
  }
  return [...groups.values()]
}

async function select(
  db: pg.ClientBase,
  schema: string,
  layout: TableLayout,
  by: readonly string[],
  values: readonly AnyRow[],
): Promise<AnyRow[]> {
  const columns = by.map((name) => columnOf(layout, name))
  const given = columns.filter(({ name }) => values[0]![name] !== null)
  const nulls = columns.filter((column) => !given.includes(column)).map(({ name }) => `t.${quoted(name)} is null`)
  const text = [
    `select ${layout.columns.map(({ name }) => `t.${quoted(name)}`).join()} from ${tableIn(schema, layout)} t`,
    given.length > 0 ? `join ${unnested(given)} on ${matched(given)}` : '',
    nulls.length > 0 ? `where ${nulls.join(' and ')}` : '',
  ].join(' ')
  const { rows } = await db.query<AnyRow>({ ...named(text), values: carried(given, values), types: asFoldsSee })
  return rows
}

/** Writes a batch's rows of one table: one upsert and one delete, in chunks when there are very many. */
export async function writeRows(db: pg.ClientBase, schema: string, set: RowSet): Promise<number> {
  const { layout } = set
  const { inserts, puts, updates, deletes } = set.written()
  const written = [...updates, ...inserts, ...puts]
  for (const rows of chunks(deletes)) await remove(db, schema, layout, rows)
  for (const rows of chunks(written)) await upsert(db, schema, layout, rows)
  return written.length + deletes.length
}

/** As `writeRows`, for very many rows: by COPY. */
export async function fillRows(db: pg.ClientBase, schema: string, layout: TableLayout, rows: Written): Promise<void> {
  const { inserts, puts, updates, deletes } = rows
  for (const gone of chunks(deletes)) await remove(db, schema, layout, gone)
  await copyIn(db, tableIn(schema, layout), layout, inserts)
  await copyOver(db, schema, layout, [...updates, ...puts])
}

/** Rows that may be there, by way of a table that ends with the transaction. */
async function copyOver(
  db: pg.ClientBase,
  schema: string,
  layout: TableLayout,
  rows: readonly AnyRow[],
): Promise<void> {
  if (rows.length === 0) return
  const draft = `pg_temp.${quoted(layout.name)}`
  const columns = layout.columns.map(({ name }) => quoted(name)).join()
  await db.query(`create temp table ${quoted(layout.name)} (like ${tableIn(schema, layout)}) on commit drop`)
  await copyIn(db, draft, layout, rows)
  // In the order of the key, so that its index is walked along once.
  await db.query(
    `insert into ${tableIn(schema, layout)} (${columns})
     select ${columns} from ${draft} order by ${layout.key.map(quoted).join()} ${onConflict(layout)}`,
  )
}

function onConflict({ columns, key }: TableLayout): string {
  const others = columns.filter(({ name }) => !key.includes(name)).map(({ name }) => quoted(name))
  const taken = others.map((name) => `${name} = excluded.${name}`).join()
  return `on conflict (${key.map(quoted).join()}) do ${taken ? `update set ${taken}` : 'nothing'}`
}

async function upsert(db: pg.ClientBase, schema: string, layout: TableLayout, rows: readonly AnyRow[]): Promise<void> {
  const { columns } = layout
  const text = `insert into ${tableIn(schema, layout)} (${columns.map(({ name }) => quoted(name)).join()})
    select ${columns.map(({ name, unpack }) => unpack(`u.${quoted(name)}`)).join()} from ${unnested(columns)}
    ${onConflict(layout)}`
  await db.query({ ...named(text), values: carried(columns, rows) })
}

async function remove(db: pg.ClientBase, schema: string, layout: TableLayout, rows: readonly AnyRow[]): Promise<void> {
  const columns = layout.key.map((name) => columnOf(layout, name))
  const text = `delete from ${tableIn(schema, layout)} t using ${unnested(columns)} where ${matched(columns)}`
  await db.query({ ...named(text), values: carried(columns, rows) })
}

const unnested = (columns: readonly Column[]): string =>
  `unnest(${columns.map(({ carrier }, index) => `$${index + 1}::${carrier}[]`).join()}) u(${columns
    .map(({ name }) => quoted(name))
    .join()})`

const matched = (columns: readonly Column[]): string =>
  columns.map(({ name, unpack }) => `t.${quoted(name)} = ${unpack(`u.${quoted(name)}`)}`).join(' and ')

const carried = (columns: readonly Column[], rows: readonly AnyRow[]): unknown[][] =>
  columns.map(({ name, pack }) => rows.map((row) => pack(row[name])))

function columnOf(layout: TableLayout, name: string): Column {
  const column = layout.byName.get(name)
  if (!column) throw new Error(`${layout.name} has no column ${name}`)
  return column
}

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += CHUNK) yield all.slice(start, start + CHUNK)
}
