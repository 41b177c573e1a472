import type { Kysely } from 'kysely'
import type { EventType, RecordedEvent } from '../domain/all-events.ts'
import type { ReadSchema } from './schema.ts'

/** Read models: rows that any day may be dropped and made again from the log. */
export type ReadDb = Kysely<ReadSchema>

type Scalar = string | number | boolean | Date | null
/** A row holds scalars and JSON; text that orders or compares as the log does is `collate "C"`. */
export type Row = { readonly [column: string]: Scalar | readonly unknown[] | object }

/** One table of a projection: the engine makes it from this, in the schema of its version. */
export type Table<R extends object = object> = {
  /** snake_case, singular; pages read it as the view `read.<name>`. */
  readonly name: string
  /** Column name to SQL type, with `not null` where it holds. */
  readonly columns: { readonly [column in keyof R & string]: string }
  readonly key: readonly (keyof R & string)[]
  /** Made after filling. `on` is what stands in the parentheses, `serves` names the query. */
  readonly indexes?: readonly { readonly on: string; readonly serves: string; readonly where?: string }[]
}

/** A table of whatever rows, as the engine sees it. */
export type AnyTable = {
  readonly name: string
  readonly columns: Readonly<Record<string, string>>
  readonly key: readonly string[]
  readonly indexes?: readonly { readonly on: string; readonly serves: string; readonly where?: string }[]
}

/**
 * What an event does to rows, as data: the engine loads the rows, folds a batch in memory and writes each table once,
 * with its checkpoint, in one transaction. A fold is pure; undefined stands for no row, before and after.
 */
export type Change =
  | {
      readonly table: AnyTable
      readonly key: Readonly<Record<string, Scalar>>
      readonly fold: (row: object | undefined) => object | undefined
    }
  | {
      readonly table: AnyTable
      readonly where: Readonly<Record<string, Scalar>>
      readonly fold: (row: object) => object | undefined
    }

/** Raise `version` with every change of its tables or handlers: the new one fills beside the old (architecture §4). */
export type Projection = {
  /** A plural noun of what it shows. */
  readonly name: string
  readonly version: number
  readonly tables: readonly AnyTable[]
  readonly when: { readonly [T in EventType]?: (event: RecordedEvent<T>) => readonly Change[] }
}

type KeyOf<R> = { readonly [column in keyof R]?: Scalar }

/** Changes the one row with this key; the fold sees undefined when there is none, and may answer undefined to remove it. */
export function fold<R extends object>(
  table: Table<R>,
  key: KeyOf<R>,
  change: (row: R | undefined) => R | undefined,
): Change {
  return { table, key: key as Readonly<Record<string, Scalar>>, fold: change as never }
}

/** Writes the row, whatever stood there. */
export function put<R extends object>(table: Table<R>, row: R): Change {
  const key = Object.fromEntries(table.key.map((column) => [column, row[column]])) as unknown as KeyOf<R>
  return fold(table, key, () => row)
}

/** Changes the row if it is there. */
export function patch<R extends object>(table: Table<R>, key: KeyOf<R>, change: (row: R) => R | undefined): Change {
  return fold(table, key, (row) => row && change(row))
}

export function remove<R extends object>(table: Table<R>, key: KeyOf<R>): Change {
  return fold(table, key, () => undefined)
}

/** Changes every row whose columns equal these. */
export function foldWhere<R extends object>(
  table: Table<R>,
  where: KeyOf<R>,
  change: (row: R) => R | undefined,
): Change {
  return { table, where: where as Readonly<Record<string, Scalar>>, fold: change as never }
}

export function removeWhere<R extends object>(table: Table<R>, where: KeyOf<R>): Change {
  return foldWhere(table, where, () => undefined)
}
