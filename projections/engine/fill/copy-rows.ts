import type pg from 'pg'
import { copyIn } from '../../../eventstore/postgres-copy.ts'
import type { AnyRow, TableLayout } from '../columns.ts'

const CHUNK_ROWS = 500

/** New rows of one table, named as SQL does, by COPY. The rows must not be there; an error is the database's own. */
export async function copyRows(
  db: pg.ClientBase,
  table: string,
  layout: TableLayout,
  rows: readonly AnyRow[],
): Promise<void> {
  if (rows.length > 0) await copyLines(db, table, layout, linesOf(layout, rows))
}

/** As `copyRows`, of rows as `lineOf` makes them. */
export async function copyLines(
  db: pg.ClientBase,
  table: string,
  layout: TableLayout,
  lines: Iterable<Buffer>,
): Promise<void> {
  const columns = layout.columns.map(({ name }) => `"${name}"`).join()
  await copyIn(db, `copy ${table} (${columns}) from stdin`, lines)
}

function* linesOf(layout: TableLayout, rows: readonly AnyRow[]): Generator<Buffer> {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const lines = rows.slice(start, start + CHUNK_ROWS).map((row) => lineOf(layout, row))
    yield Buffer.from(lines.join(''), 'utf8')
  }
}

/** A row as COPY takes it. */
export function lineOf({ columns }: TableLayout, row: AnyRow): string {
  const values = columns.map(({ name, toCopy }) => {
    const value = row[name]
    return value === null ? '\\N' : toCopy(value)
  })
  return `${values.join('\t')}\n`
}
