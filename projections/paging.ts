import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** A page never holds more (api-contract §6.0). */
export const PAGE_MAX = 50
/** The furthest `offset` of any list; behind it a list is empty (api-contract §6.0). */
export const OFFSET_MAX = 1_000

/** A whole number from 1 to PAGE_MAX. */
export function pageSize(asked: number = PAGE_MAX): number {
  return Number.isFinite(asked) ? Math.min(PAGE_MAX, Math.max(1, Math.trunc(asked))) : PAGE_MAX
}

/** The row that a page of a list ends with: the time that sorts it, and whom it is about. */
export type Cursor = { readonly at: Date; readonly id: string }
/** From behind a cursor, or from a number of rows on. */
export type PageAsked = {
  readonly after?: Cursor | undefined
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}
/** `next` is the cursor of the following page as text for an address, null at the end. */
export type Page<T> = { readonly items: T[]; readonly next: string | null }

const CURSOR = /^(\d{1,15})_([0-9a-z]{20,32})$/

/** The cursor of an address; any other text begins at the start. */
export function cursorFrom(text: string | null | undefined): Cursor | undefined {
  const [, at, id] = CURSOR.exec(text ?? '') ?? []
  return at && id ? { at: new Date(Number(at)), id } : undefined
}

/** Rows behind the cursor in the order of time, the latest first, then of id. */
export function behind(at: RawBuilder<unknown>, id: RawBuilder<unknown>, cursor: Cursor): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${at} < ${cursor.at} or (${at} = ${cursor.at} and ${id} > ${cursor.id}))`
}

/** A page of rows that were read with one more than `size`. */
export function pageOf<R extends { readonly other: string; readonly at: Date }, T>(
  rows: readonly R[],
  size: number,
  present: (row: R) => T,
): Page<T> {
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  return { items: shown.map(present), next: last ? `${last.at.getTime()}_${last.other}` : null }
}
