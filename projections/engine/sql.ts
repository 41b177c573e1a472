import { createHash } from 'node:crypto'
import pg from 'pg'
import type { AnyRow, Column } from './columns.ts'

export const quoted = pg.escapeIdentifier

/** A connection plans a statement once for all batches. */
export const named = (text: string) => ({ name: createHash('sha256').update(text).digest('base64url'), text })

/** What of a table has not expired at a time, as a condition. */
export const isAlive = (column: string, clock: string): string => `(${column} is null or ${column} > ${clock})`

/** What the arrays of `carried` are as rows: `u`, with a column of its name for each. */
export const unnested = (columns: readonly Pick<Column, 'name' | 'carrier'>[]): string =>
  `unnest(${columns.map(({ carrier }, index) => `$${index + 1}::${carrier}[]`).join()}) u(${columns
    .map(({ name }) => quoted(name))
    .join()})`

/** An array for each column. */
export const carried = (columns: readonly Pick<Column, 'name' | 'pack'>[], rows: readonly AnyRow[]): unknown[][] =>
  columns.map(({ name, pack }) => rows.map((row) => pack(row[name])))
