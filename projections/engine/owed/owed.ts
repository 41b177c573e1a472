import type pg from 'pg'
import type { SetChange } from '../../projection.ts'
import { idOf, SAME, type Target } from '../checkpoints.ts'
import type { AnyRow, TableLayout } from '../columns.ts'
import { askedBy, revives, type TimedSet } from '../sets/set-changes.ts'

/** A change of very many rows of a table that is noted with its checkpoint, and made in pieces behind it. */
export type Owed = { readonly number: string; readonly table: string; readonly change: SetChange }

/** How a batch may leave changes to later: behind what is owed already, and rows that it changes at once. */
export type Owing = { readonly owed: readonly Owed[]; readonly most: number }

/** Rows of an erasure that are changed at once: others wait for no more. */
export const PIECE = 300

/** What is owed has to be paid before this batch: that of this number; without one, a change of the batch meets another of it. */
export class OwedFirst extends Error {
  override name = 'OwedFirst'

  constructor(readonly number?: string) {
    super('An erasure comes first.')
  }
}

const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** An erasure's, whose values are the same in memory, as JSON and in the table. */
export function mayBeOwed(layout: TableLayout, { erases, where, set }: TimedSet): boolean {
  const values = [...Object.values(where), ...Object.values(set ?? {})]
  return erases === true && !revives(layout, set) && values.every(isPlain)
}

/** Whether the row would not be the same after the change. */
export function changes({ where, set }: SetChange, row: AnyRow): boolean {
  const matches = Object.entries(askedBy(where).equal).every(([name, value]) => row[name] === value)
  return matches && (set === null || Object.entries(set).some(([name, value]) => row[name] !== value))
}

/** The row once everything is paid; undefined where it is gone then. */
export function paidRow(owed: readonly Owed[], row: AnyRow | undefined): AnyRow | undefined {
  let paid = row
  for (const { change } of owed)
    if (paid && changes(change, paid)) paid = change.set ? { ...paid, ...change.set } : undefined
  return paid
}

/**
 * Rows end the same in whichever order the two are made: no row is met by both, or one takes away what it meets, and the other sets
 * nothing that it asks of.
 */
export const commute = (one: SetChange, other: SetChange): boolean =>
  areApart(one, other) || takesAsWell(one, other) || takesAsWell(other, one)

const takesAsWell = (removal: SetChange, other: SetChange): boolean =>
  removal.set === null && !Object.keys(other.set ?? {}).some((name) => name in removal.where)

/** Their rows differ in a column that neither changes. */
export function areApart(one: SetChange, other: SetChange): boolean {
  const [a, b] = [askedBy(one.where).equal, askedBy(other.where).equal]
  const set = { ...one.set, ...other.set }
  return Object.keys(a).some((name) => isPlain(a[name]) && isPlain(b[name]) && a[name] !== b[name] && !(name in set))
}

export const owedOf = (owing: Owing | undefined, { name }: TableLayout): readonly Owed[] =>
  owing?.owed.filter(({ table }) => table === name) ?? []

/** Throws OwedFirst where one of the rows would not stay as it is. */
export function requireUnowed(owed: readonly Owed[], rows: Iterable<AnyRow | undefined>): void {
  if (owed.length === 0) return
  for (const row of rows) {
    const met = row && owed.find(({ change }) => changes(change, row))
    if (met) throw new OwedFirst(met.number)
  }
}

type Db = Pick<pg.ClientBase, 'query'>

/** The first one first. */
export async function listOwed(db: Db, target: Target): Promise<Owed[]> {
  const { rows } = await db.query<Owed>(
    `select number, rows_of as table, change from app.projection_owed where ${SAME} order by app.projection_owed.number`,
    idOf(target),
  )
  return rows
}

/** The read models of which rows of an erasure are left. */
export async function listOwing(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select distinct name from app.projection_owed order by 1')
  return rows.map(({ name }) => name)
}

export async function noteOwed(db: Db, target: Target, table: string, { where, set }: SetChange): Promise<void> {
  await db.query(
    'insert into app.projection_owed (name, version, generation, rows_of, change) values ($1, $2, $3, $4, $5)',
    [...idOf(target), table, JSON.stringify({ where, set })],
  )
}

export async function isOwed(db: Db, target: Target, { number }: Owed): Promise<boolean> {
  const asked = `select from app.projection_owed where ${SAME} and number = $4`
  return (await db.query(asked, [...idOf(target), number])).rowCount === 1
}

/** Throws OwedFirst where others have paid one: rows may have come behind it that it must not change. */
export async function requireOwed(db: Db, target: Target, owed: readonly Owed[]): Promise<void> {
  const now = new Set((await listOwed(db, target)).map(({ number }) => number))
  const paid = owed.find(({ number }) => !now.has(number))
  if (paid) throw new OwedFirst(paid.number)
}

export async function deleteOwed(db: Db, target: Target, { number }: Owed): Promise<void> {
  await db.query(`delete from app.projection_owed where ${SAME} and number = $4`, [...idOf(target), number])
}
