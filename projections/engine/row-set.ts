import type { SetChange } from '../projection.ts'
import { type AnyRow, MisfitRow, normalRow, type TableLayout, tupleId } from './columns.ts'
import { RowIndex } from './row-index.ts'
import { askedBy, checkedSet, isWithin, revives, type TimedSet } from './sets/set-changes.ts'

/**
 * What was done to one table: first the changes by `where` of rows that memory has not, in their order, then rows that were
 * not there, rows that are there or not and are written whole, rows that were there, and rows that are gone, as they were.
 */
export type Written = {
  readonly sets: readonly TimedSet[]
  readonly inserts: AnyRow[]
  readonly puts: AnyRow[]
  readonly updates: AnyRow[]
  readonly deletes: AnyRow[]
}

/**
 * A key's row as it is; once `changed`, also as it was before. Both in one entry: it is looked up once an event. `unread`
 * is the first row that was written over whatever the table may have.
 */
type Entry = { row: AnyRow | undefined; before: AnyRow | undefined; unread: AnyRow | undefined; changed: boolean }

/** One row of so many is measured. */
const SAMPLED = 64
/** An entry with its key, and a character of its row as JSON: between 0.8 and 1.7 times what messages, notifications and relations take. */
const ENTRY_BYTES = 300
const BYTES_PER_CHARACTER = 2
/** A row in an index, with the text that it is found by. */
const INDEXED_BYTES = 150

/** The rows of one table in memory; undefined stands for a row that is known not to be there. */
export class RowSet {
  private readonly rows = new Map<string, Entry>()
  private changed: Entry[] = []
  private sets: TimedSet[] = []
  /** A row whose time it has passed is no row. */
  clock: Date | undefined
  private readonly indexes = new Map<string, RowIndex>()
  private readonly sample = { rows: 0, characters: 0, seen: 0 }

  constructor(
    readonly layout: TableLayout,
    /** Every row that the table has is in memory. */
    readonly whole = false,
  ) {}

  /** How many keys are known, of rows that exist or not. */
  get size(): number {
    return this.rows.size
  }

  /** About what the rows take in memory, by a sample of them. */
  get bytes(): number {
    const { rows, characters } = this.sample
    let indexed = 0
    for (const index of this.indexes.values()) indexed += index.size
    const row = ENTRY_BYTES + (rows === 0 ? 0 : (BYTES_PER_CHARACTER * characters) / rows)
    return this.size * row + indexed * INDEXED_BYTES
  }

  idOf(key: AnyRow): string {
    return tupleId(this.layout.key, key)
  }

  has(id: string): boolean {
    return this.rows.has(id)
  }

  get(id: string): AnyRow | undefined {
    return this.alive(this.rows.get(id)?.row)
  }

  /** Every row that is in memory. */
  *all(): Generator<AnyRow> {
    for (const { row } of this.rows.values()) if (row) yield row
  }

  private alive(row: AnyRow | undefined): AnyRow | undefined {
    const { expires } = this.layout
    if (!row || !expires || !this.clock) return row
    const until = row[expires] as Date | null
    return until && until <= this.clock ? undefined : row
  }

  /** Takes a row as the database has it. */
  hold(id: string, row: AnyRow | undefined): void {
    this.setRow(id, this.entryOf(id), row)
  }

  /** Throws MisfitRow when the row does not fit its columns or has another key. */
  set(id: string, row: AnyRow | undefined): void {
    this.change(id, this.rows.get(id), row)
  }

  /** Sets the row with this key to what a fold makes of it. */
  fold(key: AnyRow, change: (row: AnyRow | undefined) => object | undefined): void {
    const id = this.idOf(key)
    const known = this.rows.get(id)
    this.change(id, known, change(this.alive(known?.row)) as AnyRow | undefined)
  }

  private change(id: string, known: Entry | undefined, row: AnyRow | undefined): void {
    const old = known?.row
    if (row === old) return
    const fresh = row && normalRow(this.layout, row, old)
    if (fresh && !this.hasKey(fresh, id, old)) throw new MisfitRow(`${this.layout.name}: a fold may not change the key`)
    const entry = known ?? this.entryOf(id)
    if (!entry.changed) {
      entry.changed = true
      entry.before = old
      if (!known && !this.whole) entry.unread = fresh
      this.changed.push(entry)
    }
    this.setRow(id, entry, fresh)
  }

  private hasKey(row: AnyRow, id: string, old: AnyRow | undefined): boolean {
    return (old && this.layout.key.every((name) => row[name] === old[name])) || this.idOf(row) === id
  }

  /** Changes the rows in memory that match at this moment; those that the table alone has are changed as it is written. */
  setWhere(change: TimedSet): void {
    const checked = checkedSet(this.layout, change)
    const rowOf = (id: string) => (revives(this.layout, checked.set) ? this.get(id) : this.rows.get(id)?.row)
    for (const id of this.matching(checked.where, rowOf))
      this.set(id, checked.set ? { ...rowOf(id), ...checked.set } : undefined)
    if (!this.whole) this.sets.push(checked)
  }

  /** The ids of the rows that match, as they are at this moment. */
  matching(where: SetChange['where'], rowOf = (id: string) => this.get(id)): string[] {
    const { equal, atMost } = askedBy(where)
    return this.indexBy(Object.keys(equal).sort())
      .matching(equal)
      .filter((id) => {
        const row = rowOf(id)
        return row && isWithin(row, atMost)
      })
  }

  private indexBy(columns: readonly string[]): RowIndex {
    const name = columns.join()
    let index = this.indexes.get(name)
    if (!index) {
      index = new RowIndex(columns)
      this.indexes.set(name, index)
      for (const [id, { row }] of this.rows) index.move(id, undefined, row)
    }
    return index
  }

  /** The table has yet to see changes by `where`: what is loaded from it is not what it will be. */
  get isAhead(): boolean {
    return this.sets.length > 0
  }

  written(): Written {
    const written: Written = { sets: this.sets, inserts: [], puts: [], updates: [], deletes: [] }
    for (const { before, unread, row } of this.changed) {
      const after = this.alive(row)
      if (!after && (before ?? unread)) written.deletes.push((before ?? unread)!)
      else if (after && unread) written.puts.push(after)
      else if (after && !before) written.inserts.push(after)
      // A change by `where` may meet in the table what it did not meet here: the row as it was before.
      else if (after && before && (this.isAhead || !sameRow(this.layout, before, after))) written.updates.push(after)
    }
    return written
  }

  /** What was written is in the database. */
  settle(): void {
    for (const entry of this.changed) Object.assign(entry, { before: undefined, unread: undefined, changed: false })
    this.changed = []
    this.sets = []
  }

  private measure(row: AnyRow): void {
    this.sample.rows++
    this.sample.characters += JSON.stringify(row).length
  }

  private entryOf(id: string): Entry {
    let entry = this.rows.get(id)
    if (!entry) {
      entry = { row: undefined, before: undefined, unread: undefined, changed: false }
      this.rows.set(id, entry)
    }
    return entry
  }

  private setRow(id: string, entry: Entry, row: AnyRow | undefined): void {
    const old = entry.row
    entry.row = row
    if (row && this.sample.seen++ % SAMPLED === 0) this.measure(row)
    for (const index of this.indexes.values()) index.move(id, old, row)
  }
}

function sameRow(layout: TableLayout, a: AnyRow, b: AnyRow): boolean {
  return layout.columns.every(({ name }) => {
    const [one, other] = [a[name], b[name]]
    return one === other || (one instanceof Date && other instanceof Date && one.getTime() === other.getTime())
  })
}
