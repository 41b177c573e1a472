import type { DomainEvent, RecordedEvent } from '../../domain/all-events.ts'
import { isErased } from '../../domain/shared/personal.ts'
import { definitionOf, personalFieldsOf } from '../../eventstore/codec.ts'
import type { AnyTable, Change, Projection, Table } from '../../projections/projection.ts'
import { Clocks, hasEnded, isMeant } from './fold-of-log.ts'

type Rows = Map<string, object>

/** The rows of read models, folded without a database. */
export class Folded {
  readonly #tables = new Map<AnyTable, Rows>()
  readonly #clocks = new Clocks()

  constructor(readonly projections: readonly Projection[]) {
    for (const { tables } of projections) for (const table of tables) this.#tables.set(table, new Map())
  }

  /** The rows of a table, in the order of their keys. */
  rows<R extends object>(table: Table<R>): R[] {
    const rows = this.#tables.get(table as AnyTable) as Map<string, R>
    return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  }

  /** Every table's rows by its name. */
  all(): Record<string, object[]> {
    return Object.fromEntries([...this.#tables.keys()].map((table) => [table.name, this.rows(table as Table)]))
  }

  apply(event: RecordedEvent): void {
    for (const projection of this.projections) {
      const handle = projection.when[event.type] as ((event: RecordedEvent) => readonly Change[]) | undefined
      if (!handle) continue
      const clock = this.#clocks.pass(projection, event)
      this.#expire(projection, clock)
      for (const change of handle(event)) this.#change(change)
      this.#expire(projection, clock)
    }
  }

  #expire({ tables }: Projection, clock: number): void {
    for (const table of tables.filter(({ expires }) => expires)) {
      const rows = this.#tables.get(table)!
      for (const [key, row] of [...rows]) if (hasEnded(table, row, clock)) rows.delete(key)
    }
  }

  #change(change: Change): void {
    const rows = this.#tables.get(change.table) as Rows
    const keyOf = (row: object) => JSON.stringify(change.table.key.map((column) => row[column as keyof typeof row]))
    if ('key' in change) {
      this.#write(change.table, rows, keyOf(change.key), change.fold)
      return
    }
    for (const [key, row] of [...rows])
      if (isMeant(row, change))
        this.#write(change.table, rows, key, (before) => (change.set ? { ...before, ...change.set } : undefined))
  }

  /** A row comes as a copy of its own, as from a database, and only with columns that the table has. */
  #write(table: AnyTable, rows: Rows, key: string, fold: (row: object | undefined) => object | undefined): void {
    const before = rows.get(key)
    const after = fold(before && structuredClone(before))
    if (!after) {
      rows.delete(key)
      return
    }
    const columns = Object.keys(table.columns).sort()
    if (JSON.stringify(Object.keys(after).sort()) !== JSON.stringify(columns))
      throw new Error(`a row of ${table.name} has the columns ${Object.keys(after).sort()}, not ${columns}`)
    rows.set(key, structuredClone(after))
  }
}

export function project(projections: Projection | readonly Projection[], events: readonly RecordedEvent[]): Folded {
  const folded = new Folded([projections].flat() as Projection[])
  for (const event of events) folded.apply(event)
  return folded
}

/** The same history as it reads after its erased subjects' keys were destroyed. */
export function afterErasure(events: readonly RecordedEvent[]): RecordedEvent[] {
  const gone = new Set(events.flatMap((event) => (event.type === 'AccountErased' ? [event.member as string] : [])))
  return events.map((event) => {
    const fields = personalFieldsOf(definitionOf(event.type).latest)
    const isGone = (field: string) => gone.has(String(event[field as keyof DomainEvent]))
    const mine = fields.filter(({ subjectField, and }) => isGone(subjectField) || (and !== undefined && isGone(and)))
    const erased = Object.fromEntries(mine.map(({ name }) => [name, { erased: true }]))
    return { ...event, ...erased } as RecordedEvent
  })
}

/** Whether anything in these rows still carries the mark of an erased field. */
export function holdsErasedMark(value: unknown): boolean {
  if (isErased(value)) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsErasedMark)
}
