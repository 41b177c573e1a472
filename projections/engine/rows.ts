import pg from 'pg'
import type { Scalar } from '../table.ts'
import type { Target } from './checkpoints.ts'
import type { AnyRow, Column, TableLayout } from './columns.ts'
import { copyRows } from './fill/copy-rows.ts'
import type { RowsToLoad } from './fold.ts'
import { type Owing, owedOf, requireUnowed } from './owed/owed.ts'
import { runOwing } from './owed/run-owing.ts'
import type { RowSet, Written } from './row-set.ts'
import { runSets } from './sets/run-sets.ts'
import { columnOf } from './sets/set-changes.ts'
import { carried, named, quoted, unnested } from './sql.ts'

const INT8 = 20
const DATE = 1082
/** Rows in one statement, so that its arrays stay small enough to plan and send. */
const CHUNK = 10_000
/** Rows that a cursor brings at once. */
const FETCHED = 500

const asFoldsSee: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') => {
    if (oid === INT8) return Number
    if (oid === DATE) return String
    return pg.types.getTypeParser(oid, format)
  }) as pg.CustomTypesConfig['getTypeParser'],
}

export const tableIn = (schema: string, layout: TableLayout): string => `${quoted(schema)}.${quoted(layout.name)}`

/** Brings the wanted rows into memory. */
export async function loadRows(db: pg.ClientBase, schema: string, set: RowSet, wanted: RowsToLoad): Promise<void> {
  const missing = new Map(wanted)
  for (const row of await select(db, schema, set.layout, keyOf(set.layout), [...wanted.values()])) {
    const id = set.idOf(row)
    set.hold(id, row)
    missing.delete(id)
  }
  for (const id of missing.keys()) set.hold(id, undefined)
}

/**
 * The rows that have these values, some at a time, for whoever has room for so many of them only. Within a transaction, and one such
 * look at a time.
 */
export async function* rowsWith(
  db: pg.ClientBase,
  schema: string,
  layout: TableLayout,
  value: Readonly<Record<string, Scalar>>,
): AsyncGenerator<AnyRow[]> {
  const by = Object.keys(value).map((name) => columnOf(layout, name))
  const text = `declare wanted no scroll cursor for ${selection(schema, layout, by)}`
  await db.query({ text, values: carried(by, [value]) })
  try {
    for (;;) {
      const { rows } = await db.query<AnyRow>({ text: `fetch ${FETCHED} from wanted`, types: asFoldsSee })
      if (rows.length > 0) yield rows
      if (rows.length < FETCHED) return
    }
  } finally {
    // Where the transaction has failed there is none any more, and who asked learns of that.
    await db.query('close wanted').catch(() => undefined)
  }
}

async function select(
  db: pg.ClientBase,
  schema: string,
  layout: TableLayout,
  by: readonly Column[],
  values: readonly AnyRow[],
): Promise<AnyRow[]> {
  const text = selection(schema, layout, by)
  const { rows } = await db.query<AnyRow>({ ...named(text), values: carried(by, values), types: asFoldsSee })
  return rows
}

function selection(schema: string, layout: TableLayout, by: readonly Column[]): string {
  const columns = layout.columns.map(({ name }) => `t.${quoted(name)}`).join()
  return `select ${columns} from ${tableIn(schema, layout)} t join ${unnested(by)} on ${matched(by)}`
}

export type WriteLimits = {
  /** A statement that changes rows by `where` fails when it takes longer. */
  readonly setMs?: number
  /** Rows of a table that go with one batch because their time has passed. */
  readonly expired?: number
}

/**
 * Writes a batch's rows of one table: the statements of changes by `where`, then one upsert and one delete, in chunks when there
 * are very many. Throws OwedFirst where they meet what is owed.
 */
export async function writeRows(
  db: pg.ClientBase,
  schema: string,
  set: RowSet,
  { setMs }: WriteLimits = {},
  owes?: { readonly target: Target; readonly owing: Owing },
): Promise<void> {
  const { layout } = set
  const { sets, inserts, puts, updates, deletes } = set.written()
  const written = [...updates, ...inserts, ...puts]
  const limited = setMs !== undefined && sets.length > 0
  if (limited) await db.query(`set local statement_timeout = ${setMs}`)
  const table = tableIn(schema, layout)
  if (owes) {
    requireUnowed(owedOf(owes.owing, layout), written)
    await runOwing(db, { ...owes, table, layout }, sets, written)
  } else await runSets(db, table, layout, sets)
  if (limited) await db.query('set local statement_timeout to default')
  for (const rows of chunks(deletes)) await remove(db, schema, layout, rows)
  for (const rows of chunks(written)) await upsert(db, schema, layout, rows)
}

/** As `writeRows`, for very many rows: by COPY. */
export async function fillRows(db: pg.ClientBase, schema: string, layout: TableLayout, rows: Written): Promise<void> {
  const { sets, inserts, puts, updates, deletes } = rows
  await runSets(db, tableIn(schema, layout), layout, sets)
  for (const gone of chunks(deletes)) await remove(db, schema, layout, gone)
  await copyRows(db, tableIn(schema, layout), layout, inserts)
  const isCopied = await copyUnread(db, tableIn(schema, layout), layout, puts)
  await copyOver(db, schema, layout, isCopied ? updates : [...updates, ...puts])
}

const UNIQUE_VIOLATION = '23505'

/** Rows that were written whole are new nearly always; answers false, and has written none, where one of them is there. */
async function copyUnread(
  db: pg.ClientBase,
  table: string,
  layout: TableLayout,
  rows: readonly AnyRow[],
): Promise<boolean> {
  if (rows.length === 0) return true
  await db.query('savepoint unread')
  try {
    await copyRows(db, table, layout, rows)
    return true
  } catch (error) {
    if ((error as Partial<pg.DatabaseError>).code !== UNIQUE_VIOLATION) throw error
    await db.query('rollback to savepoint unread')
    return false
  }
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
  await copyRows(db, draft, layout, rows)
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
  const columns = keyOf(layout)
  const text = `delete from ${tableIn(schema, layout)} t using ${unnested(columns)} where ${matched(columns)}`
  await db.query({ ...named(text), values: carried(columns, rows) })
}

const matched = (columns: readonly Column[]): string =>
  columns.map(({ name, unpack }) => `t.${quoted(name)} = ${unpack(`u.${quoted(name)}`)}`).join(' and ')

const keyOf = (layout: TableLayout): Column[] => layout.key.map((name) => columnOf(layout, name))

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += CHUNK) yield all.slice(start, start + CHUNK)
}
