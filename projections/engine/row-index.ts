import { type AnyRow, tupleId } from './columns.ts'

/** The ids of rows by the values of some of their columns. */
export class RowIndex {
  /** Most values are of one row: a set of its own for each would cost more than the row. */
  private readonly ids = new Map<string, string | Set<string>>()
  /** How many rows it knows. */
  size = 0

  constructor(private readonly columns: readonly string[]) {}

  /** The rows that have these values. */
  matching(where: AnyRow): string[] {
    const found = this.ids.get(tupleId(this.columns, where))
    if (found === undefined) return []
    return typeof found === 'string' ? [found] : [...found]
  }

  /** A row came, changed or went. */
  move(id: string, old: AnyRow | undefined, fresh: AnyRow | undefined): void {
    if (old && fresh && this.columns.every((name) => old[name] === fresh[name])) return
    if (old) this.remove(id, tupleId(this.columns, old))
    if (fresh) this.enter(id, tupleId(this.columns, fresh))
  }

  private enter(id: string, value: string): void {
    this.size++
    const found = this.ids.get(value)
    if (found === undefined) this.ids.set(value, id)
    else if (typeof found === 'string') this.ids.set(value, new Set([found, id]))
    else found.add(id)
  }

  private remove(id: string, value: string): void {
    const found = this.ids.get(value)
    this.size--
    if (found === id) this.ids.delete(value)
    else if (typeof found === 'object' && found.delete(id) && found.size === 0) this.ids.delete(value)
  }
}
