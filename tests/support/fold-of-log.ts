import type pg from 'pg'
import type { Codec } from '../../eventstore/codec.ts'
import type { Log } from '../../eventstore/log.ts'
import type { AnyTable, Change, Projection, SetChange } from '../../projections/projection.ts'
import { eventsOf } from './events-of-log.ts'

type Row = Record<string, unknown>
/** Table name to its rows as JSON, by key. */
export type Folded = Map<string, Map<string, Row>>

/** What the read models must be: the whole log folded the slow and obvious way, with none of the engine's code. */
export async function foldOfLog(
  log: Pick<Log, 'readAll'>,
  codec: Codec,
  projections: readonly Projection[],
): Promise<Folded> {
  const clocks = new Clocks()
  const folded: Folded = new Map(projections.flatMap(({ tables }) => tables.map(({ name }) => [name, new Map()])))
  for await (const event of eventsOf(log, codec)) {
    for (const projection of projections) {
      const handler = projection.when[event.type] as ((of: typeof event) => readonly Change[]) | undefined
      if (!handler) continue
      const clock = clocks.pass(projection, event)
      expire(projection, folded, clock)
      for (const change of handler(event)) foldOne(folded.get(change.table.name)!, change)
      expire(projection, folded, clock)
    }
  }
  return folded
}

/** The newest time of what each projection handled: a row whose own time it has passed is no row. */
export class Clocks {
  readonly #times = new Map<Projection, number>()

  pass(projection: Projection, { at, recordedAt }: { at: Date; recordedAt: Date }): number {
    const own = Math.min(at.getTime(), recordedAt.getTime())
    const now = Math.max(own, this.#times.get(projection) ?? own)
    this.#times.set(projection, now)
    return now
  }
}

export function hasEnded({ expires }: AnyTable, row: object, clock: number): boolean {
  const until = expires && ((row as Row)[expires] as Date | null)
  return until instanceof Date && until.getTime() <= clock
}

function expire({ tables }: Projection, folded: Folded, clock: number): void {
  for (const table of tables.filter(({ expires }) => expires)) {
    const rows = folded.get(table.name)!
    for (const [id, row] of [...rows]) if (hasEnded(table, row, clock)) rows.delete(id)
  }
}

function foldOne(rows: Map<string, Row>, change: Change): void {
  const { table } = change
  if ('key' in change) {
    const id = keyId(table, change.key)
    setRow(rows, id, change.fold(rows.get(id)))
    return
  }
  for (const [id, row] of [...rows]) {
    if (isMeant(row, change)) setRow(rows, id, change.set ? { ...row, ...change.set } : undefined)
  }
}

/** Whether a change by `where` meets the row. */
export function isMeant(row: object, { where }: SetChange): boolean {
  return Object.entries(where).every(([column, wanted]) => {
    const own = plain((row as Row)[column])
    if (wanted === null || typeof wanted !== 'object' || wanted instanceof Date) return own === plain(wanted)
    return own !== null && (own as string) <= (plain(wanted.atMost) as string)
  })
}

function setRow(rows: Map<string, Row>, id: string, row: object | undefined): void {
  if (row) rows.set(id, row as Row)
  else rows.delete(id)
}

const keyId = (table: AnyTable, row: Readonly<Row>) => JSON.stringify(table.key.map((column) => row[column]))
const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : value)

/**
 * One line for each row that is missing, surplus or different in the views of schema `read`; empty when all is well.
 */
export async function compareWithTables(
  db: { query: pg.ClientBase['query'] },
  projections: readonly Projection[],
  folded: Folded,
): Promise<string[]> {
  const wrong: string[] = []
  for (const table of projections.flatMap(({ tables }) => tables)) {
    const found = await rowsOf(db, table)
    const wanted = folded.get(table.name)!
    for (const [id, row] of wanted) {
      const [is, ought] = [found.get(id), canonical(table, row)]
      if (is !== ought) wrong.push(`${table.name} ${id}: ${is ?? 'missing'} instead of ${ought}`)
    }
    for (const id of found.keys()) if (!wanted.has(id)) wrong.push(`${table.name} ${id}: surplus`)
  }
  return wrong
}

async function rowsOf(db: { query: pg.ClientBase['query'] }, table: AnyTable): Promise<Map<string, string>> {
  const { rows } = await db.query<Row>(`select * from read."${table.name}"`)
  return new Map(rows.map((row) => [keyId(table, numbered(table, row)), canonical(table, numbered(table, row))]))
}

/** The driver gives a bigint as text. */
function numbered(table: AnyTable, row: Row): Row {
  const big = Object.entries(table.columns).filter(([, type]) => type.startsWith('bigint'))
  return { ...row, ...Object.fromEntries(big.map(([name]) => [name, row[name] === null ? null : Number(row[name])])) }
}

/** Text that is equal for equal rows, whatever the order of an object's fields. */
function canonical(table: AnyTable, row: Row): string {
  return JSON.stringify(
    Object.keys(table.columns).map((column) => ordered(JSON.parse(JSON.stringify(row[column] ?? null)))),
  )
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, ordered(one)]),
  )
}
