import type { Kysely } from 'kysely'
import type { EventType, RecordedEvent } from '../domain/all-events.ts'
import type { ReadSchema } from './schema.ts'
import type { AnyTable, Row, Scalar, Table } from './table.ts'

/** Read models: rows that any day may be dropped and made again from the log. */
export type ReadDb = Kysely<ReadSchema>

export type { AnyTable, Row, Table } from './table.ts'

/**
 * What an event does to rows, as data: the engine loads the rows, folds a batch in memory and writes each table once,
 * with its checkpoint, in one transaction. A fold is pure; undefined stands for no row, before and after.
 */
export type Change =
  | {
      readonly table: AnyTable
      readonly key: Readonly<Record<string, Scalar>>
      readonly fold: (row: object | undefined) => object | undefined
      /** The fold answers the same whatever the row was. */
      readonly whole?: true
    }
  | SetChange

/**
 * The same for every row that has these values: it takes others in some columns, or goes where `set` is null. However many
 * there are, the engine makes one statement of it and loads none.
 */
export type SetChange = {
  readonly table: AnyTable
  readonly where: Readonly<Record<string, Scalar | AtMost>>
  readonly set: Readonly<Partial<Row>> | null
}

/** Not null, and not behind this in the order of the column. */
export type AtMost = { readonly atMost: string | number | Date }

export type Ahead = { readonly [T in EventType]?: number }

/** Raise `version` with every change of its tables or handlers: the new one fills beside the old (decision 0010). */
export type Projection = {
  /** A plural noun of what it shows. */
  readonly name: string
  readonly version: number
  /** Nobody but operators reads it: what members wrote does not wait for it. */
  readonly readBy?: 'operators'
  /**
   * What does not wait behind a poisonous event of its key: members are safe by it at once. Its rows come out the same when the
   * events before it come later, and it once more after them: it writes what is so, whatever there was, and what undoes it goes ahead
   * with it or comes later. Rows that pass over events before a position would lose those that wait. By type, the version that named
   * it first: to tables of an earlier one, what waits was not applied.
   */
  readonly ahead?: Ahead
  readonly tables: readonly AnyTable[]
  /**
   * What an event of a member's own streams does to rows of a pair is done again by a retry of the pair: it leaves them the same the
   * second time.
   */
  readonly when: { readonly [T in EventType]?: (event: RecordedEvent<T>) => readonly Change[] }
}

/** All of these go ahead since one version. */
export const aheadSince = (version: number, types: readonly EventType[]): Ahead =>
  Object.fromEntries(types.map((type) => [type, version]))

type KeyOf<R> = { readonly [column in keyof R]?: Scalar }

/**
 * Changes the one row with this key; the fold sees undefined when there is none, and may answer undefined to remove it.
 */
export function fold<R extends object>(
  table: Table<R>,
  key: KeyOf<R>,
  change: (row: R | undefined) => R | undefined,
): Change {
  return { table, key: key as Readonly<Record<string, Scalar>>, fold: change as never }
}

/** Writes the row over any older one. */
export function put<R extends object>(table: Table<R>, row: R): Change {
  const key: Record<string, unknown> = {}
  for (const column of table.key) key[column] = row[column]
  return { table, key: key as Readonly<Record<string, Scalar>>, fold: () => row, whole: true }
}

/** Changes the row if it is there. */
export function patch<R extends object>(table: Table<R>, key: KeyOf<R>, change: (row: R) => R | undefined): Change {
  return fold(table, key, (row) => row && change(row))
}

export function remove<R extends object>(table: Table<R>, key: KeyOf<R>): Change {
  return fold(table, key, () => undefined)
}

type WhereOf<R> = { readonly [column in keyof R]?: Scalar | AtMost }

export const atMost = (value: AtMost['atMost']): AtMost => ({ atMost: value })

/** Gives every row whose columns equal these the same values in others; those of the key stay. */
export function updateWhere<R extends object>(table: Table<R>, where: WhereOf<R>, set: Partial<R>): Change {
  if (table.key.some((column) => column in set)) throw new Error(`${table.name}: a set may not change the key`)
  return { table, where: where as SetChange['where'], set: set as Partial<Row> }
}

export function removeWhere<R extends object>(table: Table<R>, where: WhereOf<R>): Change {
  return { table, where: where as SetChange['where'], set: null }
}
